//! B05: output that is not UTF-8, or has a NUL in it, breaks the caller.

use serde_json::json;

use crate::dev_tools::{enabled, run};

/// Bytes as `printf` takes them, and the text that they are.
const OUTPUTS: [(&str, &str); 6] = [
    (r"\xff\xfeA\x00B", "\u{fffd}\u{fffd}A\u{0}B"),
    (r"\xe2\x89\xa4", "\u{2264}"),
    (r"a\xe2\x89", "a\u{fffd}"),
    (r"\xf0\x9f\xa4\xa3\xc3", "\u{1f923}\u{fffd}"),
    (r"50%%\r100%%\r\n", "50%\r100%\r\n"),
    (r"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
];

/// B05: `{"command":"printf '\\xff\\xfeA\\x00B'"}`, and the same as code.
#[test]
fn every_byte_is_answered() {
    let server = enabled().start();
    for (printed, text) in OUTPUTS {
        let code = format!("printf '{printed}'; printf '{printed}' >&2");
        let ran = run(&server, "bash", &code, &json!({})).ok();
        assert_eq!((&ran["stdout"], &ran["stderr"]), (&json!(text), &json!(text)), "{printed}");
        let octal = printed.replace(r"\x00", r"\0");
        let shell = server.post("/shell", &json!({"command": format!("bash -c \"printf '{octal}'\"")}));
        // A backslash before a letter is one between double quotes.
        assert_eq!(shell.ok()["stdout"], text, "{printed}");
    }
    let python = "import os; os.write(1, bytes(range(256)))";
    let bytes: Vec<u8> = (0..=255).collect();
    assert_eq!(run(&server, "python", python, &json!({})).ok()["stdout"], String::from_utf8_lossy(&bytes).into_owned());
}
