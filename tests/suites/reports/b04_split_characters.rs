//! B04: characters that are split over reads become U+FFFD.

use serde_json::{Value, json};

use crate::harness::{Events, Server, Setup, wait};
use crate::terminals::Terminal;

/// All of what a command writes, by every endpoint that answers output.
fn outputs(server: &Server, command: &str) -> Vec<(&'static str, String)> {
    let shell = server.shell(command).ok()["stdout"].as_str().unwrap().to_owned();
    let stream = Events::open(server, &server.request("POST", "/shell/stream").json(&json!({ "command": command })));
    let lines: Vec<_> = stream.rest().iter().filter_map(|(_, data)| Some(data["data"].as_str()?.to_owned())).collect();
    let pid = server.process(command, &json!({"capture_output": true}));
    let read = || server.call(&server.request("GET", &format!("/process/{pid}/output"))).ok();
    wait::until_true("it has ended", || read()["state"] == "exited");
    let text = |event: &Value| event["data"].as_str().unwrap().to_owned();
    let output = read()["events"].as_array().unwrap().iter().map(text).collect();
    vec![("shell", shell), ("stream", lines.join("\n")), ("output", output)]
}

/// What a command writes, by a terminal that is looked at while it does.
fn shown(server: &Server, command: &str) -> String {
    let (_, mut client) = Terminal::at_prompt(server);
    client.runs(command)
}

/// B04: three bytes of one character, each written by itself.
#[test]
fn a_character_in_pieces_is_one_character() {
    let server = Setup::new().start();
    let command = r#"sh -c "printf '\342'; sleep 0.15; printf '\211'; sleep 0.15; printf '\244'""#;
    for (endpoint, text) in outputs(&server, command) {
        assert_eq!(text, "\u{2264}", "{endpoint}");
    }
    assert_eq!(shown(&server, command), "\u{2264}");
}

/// B04: many wide characters, whatever the borders of reads and buffers.
#[test]
fn many_wide_characters_stay_whole() {
    let server = Setup::new().env("LC_ALL", "C.UTF-8").start();
    for wide in ["\u{4f60}", "\u{1f923}", "x\u{4f60}"] {
        let command = format!("sh -c 'yes {wide} | head -n 50000 | tr -d \"\\n\"'");
        for (endpoint, text) in outputs(&server, &command) {
            assert!(text == wide.repeat(50_000), "{endpoint}: {} characters", text.chars().count());
        }
        let text = shown(&server, &command);
        assert!(text == wide.repeat(50_000), "terminal: {} characters", text.chars().count());
    }
}

/// A character that is never completed is one that is none.
#[test]
fn half_a_character_at_the_end_is_replaced() {
    let server = Setup::new().start();
    for (endpoint, text) in outputs(&server, r"printf 'a\342\211'") {
        assert_eq!(text, "a\u{fffd}", "{endpoint}");
    }
}

/// B05: bytes that are no text, and NUL, which is.
#[test]
fn bytes_that_are_no_text_are_answered() {
    let server = Setup::new().start();
    for (endpoint, text) in outputs(&server, r"printf '\xff\xfeA\x00B'") {
        assert_eq!(text, "\u{fffd}\u{fffd}A\0B", "{endpoint}");
    }
    for (endpoint, text) in outputs(&server, r"head -c 100000 /dev/zero") {
        assert!(text == "\0".repeat(100_000), "{endpoint}");
    }
}
