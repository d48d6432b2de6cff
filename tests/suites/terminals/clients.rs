//! Clients that come and go (contract: terminal, attach and detach).

use super::Terminal;
use super::kit::output;
use crate::harness::{Setup, Socket, wait};

/// Everything from the first byte on, also what came before anybody was attached.
#[test]
fn every_client_sees_all_from_the_first_byte() {
    let server = Setup::new().start();
    let (terminal, mut first) = Terminal::at_prompt(&server);
    first.runs("echo fi''rst");
    drop(first);
    for _ in 0..3 {
        let mut client = terminal.attach(&server);
        client.sees("PS1=");
        client.sees("\r\nfirst\r\n");
    }
}

#[test]
fn clients_share_one_terminal() {
    let server = Setup::new().start();
    let (terminal, mut one) = Terminal::at_prompt(&server);
    let mut other = terminal.attach(&server);
    other.types("echo fr''om other\n");
    one.sees("from other\r\n");
    other.sees("from other\r\n");
    one.types("echo fr''om one\n");
    other.sees("from one\r\n");
    // One that leaves without a word touches nobody.
    drop(one);
    other.runs("true");
    other.types("exit 3\n");
    assert_eq!(other.end(), 3);
}

/// Between what was kept and what comes there is neither a gap nor a repetition.
#[test]
fn numbers_come_once_and_in_order_whenever_one_attaches() {
    let server = Setup::new().start();
    let (terminal, mut first) = Terminal::at_prompt(&server);
    first.types("echo; for i in $(seq 10000 20000); do echo $i; done; echo 'en''d'\n");
    let clients: Vec<_> = (0..10)
        .map(|at| {
            // Each a little later than the one before: when so much more has been seen.
            first.sees(&format!("{}\r\n", 10_000 + at * 300));
            terminal.attach(&server)
        })
        .collect();
    for mut client in clients {
        let text = client.sees("\nend\r\n");
        let numbers: Vec<u32> = text.lines().filter_map(|line| line.trim().parse().ok()).collect();
        assert!(numbers == (10_000..=20_000).collect::<Vec<_>>(), "{} numbers", numbers.len());
    }
}

/// What is kept is the newest MiB, from a whole character on, whatever the borders are.
#[test]
fn the_newest_mebibyte_is_kept() {
    let server = Setup::new().env("LC_ALL", "C.UTF-8").start();
    let (terminal, mut first) = Terminal::at_prompt(&server);
    first.types("yes \u{4f60}\u{1f923} | head -n 300000; echo 'en''d'\n");
    first.sees("\nend\r\n");
    first.sees("$ ");
    drop(first);
    let mut socket = Socket::open(server.pty_port, &terminal.handshake(&server));
    assert_eq!(socket.hear().json()["event"], "started");
    let mut kept = String::new();
    while !(kept.contains("\nend\r\n") && kept.ends_with("$ ")) {
        let heard = socket.hear();
        assert!(heard.payload.len() <= 1 << 20);
        kept += &output(&heard).unwrap();
    }
    // At most three bytes are left out for the character's sake.
    assert!(((1 << 20) - 3..=1 << 20).contains(&kept.len()), "{}", kept.len());
    assert!(!kept.contains('\u{fffd}'));
}

/// A pipe of programs that write while nobody looks.
#[test]
fn nobody_has_to_look() {
    let server = Setup::new().start();
    let (_, mut client) = Terminal::at_prompt(&server);
    let done = server.base().join("done");
    client.types(&format!("head -c 20000000 /dev/zero | base64; touch {}\n", done.display()));
    client.sees("AAAA");
    drop(client);
    wait::until_true("the programs end", || done.exists());
}
