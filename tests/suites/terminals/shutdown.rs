//! The end of the server (contract: terminal, transport limits; session ends).

use rustix::process::Signal;

use super::Terminal;
use crate::harness::{Nap, Setup, wait};

/// Every socket is told at once, whatever it does; nothing that came from a session is left.
#[test]
fn sockets_are_closed_and_sessions_end() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Setup::new().start();
        let nap = Nap::new();
        let mut clients = Vec::new();
        for _ in 0..3 {
            let (terminal, mut client) = Terminal::at_prompt(&server);
            client.types(&format!("nohup setsid {} >/dev/null 2>&1 &\n", nap.command()));
            clients.push(terminal.attach(&server));
            clients.push(client);
        }
        wait::until_true("all of them run", || nap.sleepers().len() == 3);
        server.signal(signal);
        // Half of them answer; the others never do.
        for (number, client) in clients.into_iter().enumerate() {
            let mut socket = client.socket;
            let close = loop {
                let heard = socket.hear();
                if heard.kind == crate::harness::socket::CLOSE {
                    break heard.close();
                }
            };
            assert_eq!(close, (1001, String::new()));
            if number % 2 == 0 {
                socket.say_close(1001);
                socket.connection.is_closed();
            } else {
                std::mem::forget(socket);
            }
        }
        assert_eq!(server.ended().code(), Some(0), "{:#?}", server.log.whole());
        assert_eq!(nap.sleepers().len(), 0);
    }
}

/// Also while a terminal writes without end, and a client takes nothing of it.
#[test]
fn a_busy_terminal_does_not_hold_the_end_up() {
    let mut server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    let _idle = terminal.attach(&server);
    client.types("yes\n");
    client.sees("y\r\ny\r\n");
    server.signal(Signal::TERM);
    assert_eq!(server.ended().code(), Some(0), "{:#?}", server.log.whole());
    assert!(crate::harness::processes::look(terminal.pid).is_none());
}
