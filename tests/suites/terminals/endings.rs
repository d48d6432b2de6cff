//! How sessions end, and what is told of it.

use serde_json::{Value, json};

use super::{Client, Terminal};
use crate::harness::processes::{self, descendants};
use crate::harness::{Nap, Server, Setup, Socket, wait};

#[test]
fn all_output_comes_before_the_end() {
    let server = Setup::new().start();
    for code in [0, 7, 255] {
        let (terminal, mut client) = Terminal::at_prompt(&server);
        let mut other = terminal.attach(&server);
        client.types(&format!("seq 1 30000; exit {code}\n"));
        for client in [&mut client, &mut other] {
            assert_eq!(client.end(), code);
            assert!(client.seen.ends_with("\n29999\r\n30000\r\nexit\r\n"), "{:?}", client.seen.split_off(100));
        }
    }
}

/// A socket stays when its shell has ended; what it says then means nothing.
#[test]
fn an_ended_session_can_still_be_looked_at() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    client.types("echo la''st; kill -9 $$\n");
    assert_eq!(client.end(), -9);
    client.types("echo more\n");
    client.resizes(50, 20);
    client.signals("SIGINT");
    wait::until_true("the size is noted", || terminal.detail(&server)["cols"] == 50);
    assert_eq!(terminal.detail(&server)["alive"], false);
    let resized = server.post(&format!("{}/resize", terminal.path()), &json!({"cols": 60, "rows": 20})).ok();
    assert_eq!((&resized["cols"], &resized["alive"]), (&json!(60), &json!(false)));
    // Whoever comes late is shown everything, too.
    let mut late = terminal.attach(&server);
    assert_eq!(late.end(), -9);
    assert!(late.seen.contains("last\r\n"));
    // A list drops it, and those who are there stay.
    assert_eq!(server.call(&server.request("GET", "/pty/sessions")).ok(), json!({"sessions": []}));
    let reason = format!("Unknown session: {}", terminal.id);
    assert_eq!(Socket::open(server.pty_port, &terminal.handshake(&server)).closes(), (1008, reason));
    client.socket.say_close(1000);
    assert_eq!(client.socket.hear_close().0, 1000);
}

/// Half a character at the very end is one that is none.
#[test]
fn half_a_character_at_the_end_is_replaced() {
    let server = Setup::new().start();
    let (_, mut client) = Terminal::at_prompt(&server);
    client.types("exec sh -c 'printf \"a\\342\\211\"'\n");
    client.end();
    assert!(client.seen.ends_with("a\u{fffd}"), "{:?}", client.seen);
}

#[test]
fn a_closed_session_is_gone_for_everybody() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    assert_eq!(terminal.close(&server).ok(), json!({"status": "closed", "session_id": terminal.id}));
    terminal.close(&server).failed_as(404, "ValueError");
    server.call(&server.request("GET", &terminal.path())).failed_as(404, "ValueError");
    assert_eq!(Socket::open(server.pty_port, &terminal.handshake(&server)).closes().0, 1008);
    // Those who are attached are told, and stay.
    client.end();
    client.socket.say_close(1000);
    assert_eq!(client.socket.hear_close().0, 1000);
    assert!(processes::look(terminal.pid).is_none());
}

/// A job that holds the terminal does not keep the end from being told, and lives on.
#[test]
fn jobs_live_on_after_the_shell() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    let nap = Nap::new();
    client.types(&format!("nohup {} >/dev/null 2>&1 &\n", nap.command()));
    nap.begins();
    client.types("exit\n");
    assert_eq!(client.end(), 0);
    assert_eq!(nap.sleepers().len(), 1);
    terminal.close(&server).ok();
    assert_eq!(nap.sleepers().len(), 0);
}

/// What a server holds, apart from the test's own connections.
fn held(server: &Server) -> (usize, Vec<processes::Process>) {
    let descriptors = std::fs::read_dir(format!("/proc/{}/fd", server.pid())).unwrap();
    let open = descriptors.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    (open.filter(|target| !target.to_string_lossy().starts_with("socket:")).count(), descendants(server.pid()))
}

/// Sessions leave no descriptor, no process and no zombie, however they end.
#[test]
fn nothing_is_left_of_sessions() {
    let server = Setup::new().start();
    let begin = || {
        let (terminal, mut client) = Terminal::at_prompt(&server);
        let nap = Nap::new();
        client.types(&format!("{} & (setsid {} &)\n", nap.command(), nap.command()));
        wait::until_true("both run", || nap.sleepers().len() == 2);
        (terminal, client)
    };
    let ends: [fn(&Server, &Terminal, &mut Client); 3] = [
        |server, terminal, _| assert_eq!(terminal.close(server).status, 200),
        |server, terminal, client| {
            client.types("exit\n");
            client.end();
            assert_eq!(terminal.close(server).status, 200);
        },
        |server, terminal, client| {
            client.types("kill -9 $$\n");
            client.end();
            assert_eq!(terminal.close(server).status, 200);
        },
    ];
    // The first round opens what stays open, such as the pidfds' file system.
    for end in ends {
        let (terminal, mut client) = begin();
        end(&server, &terminal, &mut client);
    }
    wait::until_true("nothing runs", || held(&server).1.is_empty());
    let (before, _) = held(&server);
    for end in ends.iter().cycle().take(15) {
        let (terminal, mut client) = begin();
        end(&server, &terminal, &mut client);
    }
    wait::until_true("nothing is left", || held(&server) == (before, Vec::new()));
    assert_eq!(server.call(&server.request("GET", "/pty/sessions")).ok()["sessions"], Value::Array(Vec::new()));
}
