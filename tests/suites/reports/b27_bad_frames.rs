//! B27: a bad control frame crashes the handler.

use serde_json::json;

use crate::harness::Setup;
use crate::harness::socket::TEXT;
use crate::terminals::Terminal;

/// B27, and what else is no message: `tests/suites/terminals/messages.rs` has more of them.
#[test]
fn a_bad_frame_is_ignored_and_the_socket_stays() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    for bad in ["not json", "[]", r#"{"type":"resize","cols":0,"rows":99999}"#, r#"{"type":"resize","cols":"wide"}"#] {
        client.socket.send(TEXT, bad);
        assert_eq!(client.runs("stty size"), "24 80\r\n", "{bad}");
    }
    assert_eq!(terminal.detail(&server)["alive"], true);
}

/// B27: a size that no terminal can have.
#[test]
fn a_size_that_is_none_is_refused() {
    let server = Setup::new().start();
    for (cols, rows) in [(99_999, 24), (80, 65_536), (-1, 24)] {
        let failed = server.post("/pty/sessions", &json!({"cols": cols, "rows": rows})).failed(400);
        assert_eq!(failed["type"], "ValueError");
    }
    let terminal = Terminal::open(&server);
    for (cols, rows) in [(99_999, 24), (80, 1001), (0, 24)] {
        let path = format!("{}/resize", terminal.path());
        server.post(&path, &json!({"cols": cols, "rows": rows})).failed_as(400, "ValueError");
    }
}
