//! B12: a stream ends with a success that nobody has seen.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::harness::{Events, Nap, Server, Setup, wait};

fn stream(server: &Server, command: &str) -> Events {
    Events::open(server, &server.request("POST", "/shell/stream").json(&json!({ "command": command })))
}

fn event(name: &str, data: Value) -> (String, Value) {
    (name.to_owned(), data)
}

/// B12: silence is not the end, and neither is closed output.
#[test]
fn only_the_end_of_the_child_is_the_end() {
    let server = Setup::new().start();
    let events = stream(&server, "sh -c 'echo a; sleep 0.7; echo b'").rest();
    let expected = [
        event("stdout", json!({"data": "a"})),
        event("stdout", json!({"data": "b"})),
        event("exit", json!({"exit_code": 0})),
    ];
    assert_eq!(events, expected);
    let mark = server.base().join("mark");
    let command = format!("sh -c 'exec 1>&- 2>&-; sleep 0.7; : > {}; exit 5'", mark.display());
    assert_eq!(stream(&server, &command).rest(), [event("exit", json!({"exit_code": 5}))]);
    assert!(mark.exists());
}

/// B12: a signal is told as one.
#[test]
fn a_killed_child_is_told_as_such() {
    let server = Setup::new().start();
    assert_eq!(stream(&server, "sh -c 'kill -9 $$'").rest(), [event("exit", json!({"exit_code": -9}))]);
    assert_eq!(server.shell("sh -c 'kill -TERM $$'").ok()["exit_code"], -15);
}

/// B12: a server that ends, in whatever way, breaks its streams and tells no end that it does not know.
#[test]
fn a_server_that_ends_invents_no_exit() {
    for signal in [Signal::KILL, Signal::TERM, Signal::INT] {
        let (mut server, nap) = (Setup::new().start(), Nap::new());
        let mut events = stream(&server, &format!("sh -c 'echo a; exec {}'", nap.command()));
        assert_eq!(events.event(), Some(event("stdout", json!({"data": "a"}))));
        let sleeper = nap.begins();
        server.signal(signal);
        let rest = events.rest_of_a_broken_one();
        assert!(!rest.contains("exit"), "{signal:?}: {rest}");
        server.ended();
        if signal == Signal::KILL {
            // Nobody is left to end it.
            kill_process(Pid::from_raw(i32::try_from(sleeper).unwrap()).unwrap(), Signal::KILL).unwrap();
        }
        nap.is_gone();
    }
}

/// A program that can't be started has an event and no end.
#[test]
fn what_does_not_start_has_no_exit() {
    let server = Setup::new().start();
    std::fs::write(server.base().join("text"), "no program").unwrap();
    for command in ["nosuchcmd-at-all", "./nope", "./text", "/"] {
        let body = json!({"command": command, "cwd": server.base().to_str()});
        let mut events = Events::open(&server, &server.request("POST", "/shell/stream").json(&body)).rest();
        let (name, data) = events.pop().unwrap();
        assert_eq!((events, name.as_str()), (vec![], "error"), "{command}");
        assert!(data["error"].as_str().is_some_and(|text| !text.is_empty()), "{data}");
    }
    wait::until_true("nothing runs", || crate::harness::processes::descendants(server.pid()).is_empty());
}
