//! B23: a terminal that nobody looks at stalls as soon as its buffer is full.

use crate::harness::{Setup, wait};
use crate::terminals::Terminal;

/// B23: the client leaves while the program writes.
#[test]
fn a_detached_terminal_goes_on() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    let done = server.base().join("done");
    client.types(&format!("seq 1 200000; touch {}\n", done.display()));
    drop(client);
    wait::until_true("the program ends", || done.exists());
    let mut client = terminal.attach(&server);
    let text = client.sees("\n200000\r\n");
    assert!(text.len() <= 1 << 20 && text.contains("\n150000\r\n") && !text.contains("\n1000\r\n"), "{}", text.len());
    client.runs("true");
}

/// Nobody has ever been there.
#[test]
fn a_terminal_without_any_client_goes_on() {
    let server = Setup::new().start();
    let terminal = Terminal::open(&server);
    let first = terminal.attach(&server);
    drop(first);
    let mut client = terminal.attach(&server);
    client.types("seq 1 400000; echo 'en''d'\n");
    drop(client);
    let mut client = terminal.attach(&server);
    client.sees("\n400000\r\nend\r\n");
}
