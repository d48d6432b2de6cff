//! B07: blank lines vanish from streamed output, and ends of lines are not those that were written.

use serde_json::json;

use crate::harness::{Events, Server, Setup};

/// The lines of each stream, in order, and the exit code, which comes last.
fn lines(server: &Server, command: &str) -> (Vec<(String, String)>, i64) {
    let request = server.request("POST", "/shell/stream").json(&json!({ "command": command }));
    let mut events = Events::open(server, &request).rest();
    let (name, data) = events.pop().unwrap();
    assert_eq!(name, "exit", "{data}");
    let line = |(name, data): (String, serde_json::Value)| (name, data["data"].as_str().unwrap().to_owned());
    (events.into_iter().map(line).collect(), data["exit_code"].as_i64().unwrap())
}

fn of_stdout(texts: &[&str]) -> Vec<(String, String)> {
    texts.iter().map(|text| ("stdout".to_owned(), (*text).to_owned())).collect()
}

/// B07: a line is a line, empty or not, ended or not; only LF ends one.
#[test]
fn every_line_is_one_event() {
    let server = Setup::new().start();
    for (command, expected) in [
        (r"printf 'a\n\nb\n'", &["a", "", "b"][..]),
        (r"printf '\n\n\n'", &["", "", ""]),
        (r"printf 'x'", &["x"]),
        (r"printf 'a\rb\r\n'", &["a\rb\r"]),
        (r"printf 'a\r\nb\rc\n\nd'", &["a\r", "b\rc", "", "d"]),
        (r"printf 'a\fb\vc\302\205d\342\200\250e'", &["a\u{c}b\u{b}c\u{85}d\u{2028}e"]),
        ("true", &[]),
    ] {
        assert_eq!(lines(&server, command), (of_stdout(expected), 0), "{command}");
    }
}

/// B07: a long line is one event.
#[test]
fn a_long_line_is_one_event() {
    let server = Setup::new().start();
    let (events, exit) = lines(&server, "sh -c 'head -c 3000000 /dev/zero | tr \"\\0\" x'");
    assert_eq!((events.len(), exit), (1, 0));
    assert!(events[0].1 == "x".repeat(3_000_000), "{} characters", events[0].1.len());
}

/// Both streams come, each in its own order.
#[test]
fn both_streams_keep_their_order() {
    let server = Setup::new().start();
    let (events, exit) = lines(&server, "sh -c 'for i in $(seq 500); do echo $i; echo -$i >&2; done; exit 3'");
    assert_eq!(exit, 3);
    for (stream, sign) in [("stdout", ""), ("stderr", "-")] {
        let found: Vec<_> = events.iter().filter(|(name, _)| name == stream).map(|(_, text)| text.clone()).collect();
        let expected: Vec<_> = (1..=500).map(|number| format!("{sign}{number}")).collect();
        assert_eq!(found, expected, "{stream}");
    }
}

/// A line that is not at its end is not sent, and then sent whole (contract: process §3).
#[test]
fn a_line_waits_for_its_end() {
    let server = Setup::new().start();
    let (events, _) = lines(&server, "sh -c 'printf partial; sleep 0.3; echo rest'");
    assert_eq!(events, of_stdout(&["partialrest"]));
}

/// B08: short commands come one after the other on one connection; each is over with its last frame.
#[test]
fn short_commands_leave_the_connection_usable() {
    let server = Setup::new().start();
    let mut connection = server.connect();
    let request = server.request("POST", "/shell/stream").json(&json!({"command": "true"}));
    for _ in 0..20 {
        let answer = connection.call(&request);
        assert_eq!((answer.status, answer.text().as_str()), (200, "event: exit\ndata: {\"exit_code\":0}\n\n"));
    }
}
