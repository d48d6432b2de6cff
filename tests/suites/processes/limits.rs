//! Limits of rules (contract: process §2 to §4).

use serde_json::{Value, json};

use crate::harness::{Events, Nap, Server, Setup, wait};

fn limited(endpoint: &str, limits: &Value) -> Server {
    Setup::new().policy(&json!({"endpoints": {endpoint: {"limits": limits}}})).start()
}

/// Bytes of decoded text, of each stream, at a border of characters.
#[test]
fn output_is_cut_at_whole_characters() {
    let server = limited("shell", &json!({"max_output_bytes": 10}));
    for (command, stdout, stderr, truncated) in [
        ("printf 1234567890", "1234567890", "", false),
        ("printf 12345678901", "1234567890", "", true),
        ("printf 12345678\u{e9}\u{e9}", "12345678\u{e9}", "", true),
        ("printf 123456789\u{e9}", "123456789", "", true),
        ("printf 1234567\u{1f923}", "1234567", "", true),
        (r"printf '\377\377\377'", "\u{fffd}\u{fffd}\u{fffd}", "", false),
        (r"printf '\377\377\377\377'", "\u{fffd}\u{fffd}\u{fffd}", "", true),
        ("sh -c 'printf 1234567890; printf abcdefghij >&2'", "1234567890", "abcdefghij", false),
        ("sh -c 'printf 1; printf abcdefghijk >&2'", "1", "abcdefghij", true),
    ] {
        let answer = server.shell(command).ok();
        assert_eq!((&answer["stdout"], &answer["stderr"]), (&json!(stdout), &json!(stderr)), "{command}");
        assert_eq!(answer.get("truncated"), truncated.then_some(&json!(true)), "{command}");
    }
}

/// A command that writes more than is kept is not stopped, and its own end is answered.
#[test]
fn a_command_with_much_output_runs_to_its_end() {
    let server = limited("shell", &json!({"max_output_bytes": 10}));
    let command = format!("sh -c 'seq 1 200000; : > {}; exit 3'", server.base().join("mark").display());
    let answer = server.shell(&command).ok();
    assert_eq!(answer, json!({"stdout": "1\n2\n3\n4\n5\n", "stderr": "", "exit_code": 3, "truncated": true}));
    assert!(server.base().join("mark").exists());
}

/// Characters and one more for each line, over both streams; what would pass the limit is not sent.
#[test]
fn a_stream_counts_characters_and_lines() {
    let server = limited("shell_stream", &json!({"max_output_bytes": 10}));
    let stream = |command: &str| {
        Events::open(&server, &server.request("POST", "/shell/stream").json(&json!({ "command": command }))).rest()
    };
    let names = |events: &[(String, Value)]| events.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let exact = stream("printf '123\n\u{e9}\u{e9}\u{e9}\n\n'");
    assert_eq!(names(&exact), ["stdout", "stdout", "stdout", "exit"]);
    let unended = stream("printf '123\n12345'");
    assert_eq!(names(&unended), ["stdout", "stdout", "exit"]);
    for command in ["printf '123\n\u{e9}\u{e9}\u{e9}\n\n\n\n'", "printf '123\nabc\n\nx'", "seq 1000 100000"] {
        let mut events = stream(command);
        let (exit, error) = (events.pop().unwrap(), events.pop().unwrap());
        assert_eq!((exit.0.as_str(), error), ("exit", ("error".to_owned(), json!({"error": "output_limit"}))));
        let counted: usize = events.iter().map(|(_, data)| data["data"].as_str().unwrap().chars().count() + 1).sum();
        assert!(counted <= 10 && !events.is_empty(), "{command}: {events:?}");
    }
    let both = stream("sh -c 'printf 123\\n; printf 456\\n >&2; printf 7\\n; sleep 0.2; printf 8\\n'");
    assert_eq!(names(&both).iter().filter(|name| *name == "error").count(), 1, "{both:?}");
}

/// Places are taken in one step, and given back when nothing is started after all.
#[test]
fn places_are_counted_at_once() {
    let server = limited("process_start", &json!({"max_processes": 2}));
    let nap = Nap::new();
    let body = json!({"command": nap.command()});
    let answers: Vec<_> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..20).map(|_| scope.spawn(|| server.post("/process/start", &body))).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let (started, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(started.len(), 2);
    for answer in refused {
        let body = answer.refused(429, "concurrency_limited");
        assert_eq!((&body["type"], &body["retry_after"]), (&json!("ResourceError"), &json!(1)));
        assert_eq!(body["endpoint"], "process_start");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    // It stands before everything but the command itself.
    server.post("/process/start", &json!({})).failed_as(400, "ValueError");
    server.post("/process/start", &json!({"command": ""})).refused(400, "process_invalid");
    server.post("/process/start", &json!({"command": "'", "cwd": 5})).refused(429, "concurrency_limited");
    // Its end makes room.
    let pid = started[0].json()["pid"].as_u64().unwrap();
    server.post(&format!("/process/{pid}/signal"), &json!({"signal": 9})).ok();
    wait::until_true("there is room", || server.post("/process/start", &json!({"command": "true"})).status == 200);
}

#[test]
fn a_start_that_fails_gives_its_place_back() {
    let server = limited("process_start", &json!({"max_processes": 1}));
    for _ in 0..3 {
        server.post("/process/start", &json!({"command": "'"})).failed_as(400, "ValueError");
        server.post("/process/start", &json!({"command": "true", "cwd": "/etc"})).refused(403, "path_not_allowed");
        server.post("/process/start", &json!({"command": "nosuchcmd-at-all"})).failed_as(500, "FileNotFoundError");
    }
    server.post("/process/start", &json!({"command": "sleep 61"})).ok();
    server.post("/process/start", &json!({"command": "sleep 61"})).refused(429, "concurrency_limited");
}

/// A hundred at most, whatever a rule says (contract: process §4).
#[test]
fn a_rule_can_only_lower_the_number_of_processes() {
    let server = limited("process_start", &json!({"max_processes": 500}));
    let nap = Nap::new();
    for _ in 0..100 {
        server.process(&nap.command(), &json!({}));
    }
    server.post("/process/start", &json!({"command": "true"})).refused(429, "concurrency_limited");
    server.stop();
    nap.is_gone();
}
