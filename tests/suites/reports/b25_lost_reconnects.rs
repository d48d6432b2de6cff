//! B25: whoever connects again finds another program, or another size.

use serde_json::json;

use crate::harness::Setup;
use crate::terminals::Terminal;

/// B25: attach, size, leave, attach. `attach` itself holds the first frame to the contract, pid included.
#[test]
fn program_and_size_are_kept() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    client.runs("kept=yes; trap 'echo hung up' HUP");
    client.resizes(132, 43);
    assert_eq!(client.runs("stty size"), "43 132\r\n");
    drop(client);
    for number in 0..5 {
        let mut client = terminal.attach(&server);
        // What was there before comes first.
        client.sees("43 132\r\n");
        client.types(&format!("echo \"$kept $(stty size) no''w {number}\"\n"));
        let text = client.sees(&format!("yes 43 132 no''w {number}\r\n"));
        assert!(!text.contains("\nhung up"), "{text:?}");
    }
    let detail = terminal.detail(&server);
    assert_eq!((&detail["pid"], &detail["cols"], &detail["rows"]), (&json!(terminal.pid), &json!(132), &json!(43)));
}

/// A program in the foreground hears nothing of it.
#[test]
fn a_running_program_is_kept() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    client.types("echo re''ady; cat\n");
    client.sees("ready\r\n");
    client.types("first\n");
    client.sees("first\r\nfirst\r\n");
    drop(client);
    let mut client = terminal.attach(&server);
    client.types("second\n");
    client.sees("second\r\nsecond\r\n");
}
