//! B01: a command that leaves a child in the background, which holds its output open, never returns.

use serde_json::json;

use crate::harness::{Events, Nap, Server, Setup, wait};

/// Leaves a sleep behind that holds both pipes.
fn leaving(nap: &Nap) -> String {
    format!("sh -c '{} & echo hi'", nap.command())
}

fn stream(server: &Server, command: &str) -> Vec<(String, serde_json::Value)> {
    Events::open(server, &server.request("POST", "/shell/stream").json(&json!({ "command": command }))).rest()
}

/// B01: the answer comes while the sleep still runs, and the sleep goes on.
#[test]
fn shell_answers_when_the_child_has_ended() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let answer = server.shell(&leaving(&nap)).ok();
    assert_eq!(answer, json!({"stdout": "hi\n", "stderr": "", "exit_code": 0}));
    assert_eq!(nap.sleepers().len(), 1);
    // Until the server ends.
    server.stop();
    nap.is_gone();
}

/// B01, the same of a stream.
#[test]
fn a_stream_ends_when_the_child_has_ended() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let events = stream(&server, &leaving(&nap));
    let expected = [("stdout".to_owned(), json!({"data": "hi"})), ("exit".to_owned(), json!({"exit_code": 0}))];
    assert_eq!(events, expected);
    assert_eq!(nap.sleepers().len(), 1);
}

/// B01, the same of a background process: whoever waits for its output is told of its end.
#[test]
fn waiting_for_output_ends_when_the_child_has_ended() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let pid = server.process(&leaving(&nap), &json!({"capture_output": true}));
    let read =
        |since: &str| server.call(&server.request("GET", &format!("/process/{pid}/output?since={since}&wait=30"))).ok();
    wait::until_true("the output says so", || read("1")["state"] == "exited");
    let whole = read("0");
    assert_eq!(whole["events"], json!([{"seq": 0, "stream": "stdout", "data": "hi\n"}]));
    assert_eq!(whole["exit_code"], 0);
    assert_eq!(nap.sleepers().len(), 1);
}

/// What is left in the background may still write: nothing breaks it, and its own pipes are read.
#[test]
fn what_is_left_behind_may_write_on() {
    let server = Setup::new().start();
    let mark = server.base().join("mark");
    let late = "sleep 0.6; yes | head -c 300000; echo done > mark";
    for path in ["/shell", "/shell/stream", "/process/start"] {
        let _ = std::fs::remove_file(&mark);
        let body = json!({"command": format!("sh -c '({late}) & echo hi'"), "cwd": server.base().to_str()});
        assert_eq!(server.post(path, &body).status, 200, "{path}");
        wait::until_true("it has written everything", || mark.exists());
    }
}
