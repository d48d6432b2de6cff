//! The interpreter behind Python commands: what it survives, what it sees, and its end.

use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::kit::is_alive;
use crate::harness::{Server, Setup, TOKEN, wait};

const COMMANDS: &str = r#"
import os, subprocess, sys, threading, time
from agent_sandbox.server import command

calls = []

@command()
def pid(): return os.getpid()

@command()
def count():
    calls.append(1)
    return len(calls)

@command()
def sleep(mark: str):
    open(mark, "w").close()
    time.sleep(600)

@command()
def loop(mark: str):
    open(mark, "w").close()
    while True: pass

@command()
def child(mark: str):
    process = subprocess.Popen(["sleep", "600"])
    open(mark, "w").write(str(process.pid))
    return process.pid

@command()
def environment(): return dict(os.environ)

@command()
def say():
    print("said on stdout\x1b[2J")
    print("said on stderr", file=sys.stderr)
    os.write(1, b"written to descriptor 1\n")
    os.system("echo said by a child")
    return "answered"

@command()
def flood():
    for number in range(20000): print("flood", number, "x" * 1000)
    return "done"

@command()
def close(): os.closerange(0, 64)

@command()
def break_json():
    import json
    json.dumps = json.loads = None
    sys.modules.clear()

@command()
def barrier(): return gate.wait(60) >= 0

gate = threading.Barrier(12)
"#;

fn worker(server: &Server) -> u64 {
    server.result("pid").as_u64().unwrap()
}

fn kill(pid: u64, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

/// One that lives on and can answer nobody would leave every call waiting.
#[test]
fn a_worker_that_can_answer_no_more_is_replaced() {
    let server = Setup::new().python(COMMANDS).start();
    for command in ["close", "break_json", "close", "break_json"] {
        let pid = worker(&server);
        server.run(command, &json!({})).failed(500);
        wait::until_true("there is another worker", || worker(&server) != pid);
        assert!(!is_alive(pid));
    }
}

#[test]
fn a_worker_killed_in_a_call_fails_that_call_and_later_ones_work() {
    let setup = Setup::new().python(COMMANDS);
    let server = setup.start();
    let mark = setup.place("mark");
    assert_eq!((server.result("count"), server.result("count")), (json!(1), json!(2)));
    let pid = worker(&server);
    thread::scope(|scope| {
        let broken = scope.spawn(|| server.run("sleep", &json!({"mark": mark})));
        wait::until_true("the call has begun", || mark.exists());
        kill(pid, Signal::KILL);
        let body = broken.join().unwrap().failed_as(500, "RuntimeError");
        assert!(body["error"].as_str().unwrap().contains("signal 9") && body.get("code").is_none(), "{body}");
    });
    assert_eq!(server.result("count"), 1);
    assert_ne!(worker(&server), pid);
    assert_eq!(server.ask("/health").status, 200);
}

#[test]
fn a_command_that_never_ends_holds_up_no_other() {
    let setup = Setup::new().python(COMMANDS);
    let server = setup.start();
    let mark = setup.place("mark");
    let mut hanging = server.connect();
    hanging.send(server.request("POST", "/commands/loop").json(&json!({"mark": mark})).bytes());
    wait::until_true("the call has begun", || mark.exists());
    for _ in 0..20 {
        assert!(server.result("count").is_u64());
    }
    assert_eq!(server.ask("/commands").status, 200);
    // Whoever leaves disturbs nobody, and the command goes on.
    drop(hanging);
    assert!(server.result("count").is_u64());
}

#[test]
fn calls_run_beside_each_other() {
    let server = Setup::new().python(COMMANDS).start();
    thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| assert_eq!(server.result("barrier"), true));
        }
    });
}

#[test]
fn what_commands_print_goes_to_the_log_and_not_into_answers() {
    let server = Setup::new().python(COMMANDS).start();
    assert_eq!(server.result("say"), "answered");
    for line in ["said on stdout\\u{1b}[2J", "said on stderr", "written to descriptor 1", "said by a child"] {
        wait::until_true(line, || server.log.text().contains(line));
    }
    assert!(!server.log.text().contains('\u{1b}'));
}

#[test]
fn a_flood_of_lines_is_cut_and_stops_nobody() {
    let server = Setup::new().python(COMMANDS).start();
    assert_eq!(server.result("flood"), "done");
    wait::until_true("the rest is counted", || server.log.text().contains("more lines were left out"));
    let lines = server.log.text().matches("flood ").count();
    assert!(lines < 10_000, "{lines}");
}

#[test]
fn secrets_are_not_in_its_environment() {
    let policy = json!({"auth": {"tokens": [{"id": "a", "token_env": "CI_TOKEN", "scopes": ["*"]}]}});
    let setup = Setup::new().python(COMMANDS).policy(&policy).env("CI_TOKEN", "s3cret").env("OTHER", "shown");
    let server = setup.env("ABX_SERVER_TOKEN", TOKEN).start();
    let environment = server.call(&server.request("POST", "/commands/environment").bearer("s3cret")).ok();
    let environment = environment["result"].as_object().unwrap();
    for name in ["CI_TOKEN", "ABX_SERVER_TOKEN", "ABX_SERVER_POLICY", "ABX_SERVER_POLICY_FILE"] {
        assert!(!environment.contains_key(name), "{name}");
    }
    assert_eq!(environment["OTHER"], "shown");
    assert!(environment.contains_key("ABX_SERVER_BASE_DIR"));
    let text = Value::Object(environment.clone()).to_string();
    assert!(!text.contains("s3cret") && !text.contains(TOKEN));
    assert!(!server.log.text().contains("s3cret"));
}

/// Also of one that starts after the request.
#[test]
fn what_a_request_sets_is_not_in_its_environment() {
    let server = Setup::new().python(COMMANDS).start();
    let names = ["LD_PRELOAD", "PYTHONPATH", "PYTHONSTARTUP", "MINE"];
    let variables: serde_json::Map<_, _> =
        names.map(|name| (name.to_owned(), json!("/nonexistent"))).into_iter().collect();
    server.post("/env", &json!({"vars": variables})).ok();
    let first = worker(&server);
    kill(first, Signal::KILL);
    wait::until_true("the interpreter is gone", || !is_alive(first));
    let environment = wait::until("another one answers", || {
        let answer = server.run("environment", &json!({}));
        (answer.status == 200).then(|| answer.ok()["result"].clone())
    });
    for name in names {
        assert!(environment.get(name).is_none(), "{name}: {environment}");
    }
    assert_ne!(worker(&server), first);
}

#[test]
fn nothing_is_left_when_the_server_is_told_to_end() {
    let setup = Setup::new().python(COMMANDS);
    let server = setup.start();
    let mark = setup.place("mark");
    let pid = worker(&server);
    let child = server.run("child", &json!({"mark": mark})).ok()["result"].as_u64().unwrap();
    assert!(is_alive(pid) && is_alive(child));
    let hanging = setup.place("hanging");
    let mut connection = server.connect();
    connection.send(server.request("POST", "/commands/sleep").json(&json!({"mark": hanging})).bytes());
    wait::until_true("a call runs", || hanging.exists());
    server.stop();
    assert!(!is_alive(pid) && !is_alive(child));
}

#[test]
fn a_killed_server_leaves_no_worker() {
    let server = Setup::new().python(COMMANDS).start();
    let pid = worker(&server);
    server.signal(Signal::KILL);
    wait::until_true("the worker ends with its channel", || !is_alive(pid));
}
