//! Clients that read slowly, and programs that do (contract: terminal, attach and detach).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Client, Terminal};
use crate::harness::socket::CLOSE;
use crate::harness::{Setup, wait};

/// 26 MB: more than what a slow client and everything between here and there hold.
const MUCH: &str = "head -c 2600000 /dev/zero | tr '\\0' '\\n' | cat -n; echo 'en''d'\n";

/// A line of it that nobody sees as long as a client holds the terminal up.
const BEYOND: &str = "\r\n1500000\t\r\n";

/// The close that a client finds behind what it has not read.
#[track_caller]
fn close_of(mut client: Client) -> (u16, String) {
    loop {
        let heard = client.socket.hear();
        if heard.kind == CLOSE {
            return heard.close();
        }
    }
}

/// One that takes nothing, and one that takes a few bytes now and then, are closed; the other one sees everything.
#[test]
fn a_slow_client_holds_nobody_up_for_long() {
    let server = Setup::new().start();
    let (terminal, mut quick) = Terminal::at_prompt(&server);
    let (silent, mut trickling) = (terminal.attach(&server), terminal.attach(&server));
    let is_over = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let trickle = scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                trickling.socket.connection.sip(10);
                std::thread::sleep(Duration::from_millis(50));
            }
            close_of(trickling)
        });
        quick.types(MUCH);
        quick.sees(BEYOND);
        // Those who hold it up have been closed. They are told, if they read on soon.
        is_over.store(true, Ordering::Relaxed);
        let silent = scope.spawn(move || close_of(silent));
        quick.sees("\nend\r\n");
        assert_eq!(trickle.join().unwrap().0, 1013);
        assert_eq!(silent.join().unwrap().0, 1013);
    });
    quick.runs("true");
}

/// Whoever leaves in the middle frees the others at once.
#[test]
fn a_client_that_leaves_holds_nobody_up() {
    let server = Setup::new().start();
    let (terminal, mut quick) = Terminal::at_prompt(&server);
    let silent = terminal.attach(&server);
    quick.types(MUCH);
    for _ in 0..20 {
        quick.piece();
    }
    drop(silent);
    quick.sees("\nend\r\n");
}

/// A terminal whose program does not read, and one whose client does not, are nobody else's matter.
#[test]
fn terminals_do_not_wait_for_each_other() {
    let server = Setup::new().start();
    let (_, mut deaf) = Terminal::at_prompt(&server);
    deaf.types("stty raw -echo; echo rea''dy; sleep 1000\n");
    deaf.sees("ready");
    // More than is kept: the server stops reading this socket.
    let is_stuck = std::thread::scope(|scope| {
        let typing = scope.spawn(|| {
            for _ in 0..40 {
                let input = serde_json::json!({"type": "input", "data": "x".repeat(500_000)});
                let bytes = crate::harness::socket::frame(0x81, input.to_string().as_bytes());
                if deaf.socket.connection.try_send(bytes).is_err() {
                    return true;
                }
            }
            false
        });
        let (busy, mut silent) = Terminal::at_prompt(&server);
        silent.types("yes\n");
        let (_, mut other) = Terminal::at_prompt(&server);
        for _ in 0..20 {
            other.runs("true");
        }
        assert_eq!(busy.detail(&server)["alive"], true);
        // Ending it lets whoever types into it go.
        let listed = server.call(&server.request("GET", "/pty/sessions")).ok();
        let first = listed["sessions"][0]["id"].as_str().unwrap();
        wait::until_true("it is closed", || {
            server.call(&server.request("DELETE", &format!("/pty/sessions/{first}"))).status == 200
        });
        typing.join().unwrap()
    });
    assert!(!is_stuck, "a session that has ended takes what is typed, and throws it away");
}
