//! B02: what a command started outlives its end by a timeout.

use serde_json::{Value, json};

use crate::harness::{Events, Nap, Server, Setup};

/// Commands that leave sleeps in every place that a tree has, with the sleeps.
fn families() -> Vec<(String, Vec<Nap>)> {
    let two = || [Nap::new(), Nap::new()];
    let of = |form: &str| {
        let [child, other] = two();
        (form.replace("ONE", &child.command()).replace("TWO", &other.command()), vec![child, other])
    };
    vec![
        of("sh -c 'ONE & TWO; echo x'"),
        // Its parent has ended.
        of("sh -c '(ONE &) ; TWO'"),
        // A session of its own, by a process that has ended.
        of("sh -c '(setsid ONE &) ; TWO'"),
        of("sh -c 'setsid sh -c \"setsid ONE & wait\" & TWO'"),
        // Whoever ignores the gentle signal.
        of("sh -c 'trap \"\" TERM INT HUP; ONE & TWO'"),
    ]
}

/// What a caller sees of a command whose time is up.
fn shell_times_out(server: &Server, body: &Value) {
    server.post("/shell", body).failed_as(500, "TimeoutError");
}

fn stream_times_out(server: &Server, body: &Value) {
    let mut events = Events::open(server, &server.request("POST", "/shell/stream").json(body)).rest();
    let exit = events.pop();
    let error = events.pop();
    assert_eq!(error, Some(("error".to_owned(), json!({"error": "timeout"}))));
    assert_eq!(exit, Some(("exit".to_owned(), json!({"exit_code": -9}))));
}

/// B02: nothing is left, wherever it went.
#[test]
fn a_timeout_ends_the_whole_tree() {
    let server = Setup::new().start();
    for run in [shell_times_out, stream_times_out] {
        for (command, naps) in families() {
            run(&server, &json!({"command": command, "timeout": 0.5}));
            naps.iter().for_each(Nap::is_gone);
        }
    }
}

/// The other way in which a stream ends its command.
#[test]
fn an_output_limit_ends_the_whole_tree() {
    let policy = json!({"endpoints": {"shell_stream": {"limits": {"max_output_bytes": 100}}}});
    let server = Setup::new().policy(&policy).start();
    let nap = Nap::new();
    let body = json!({"command": format!("sh -c '(setsid {} &) ; yes'", nap.command())});
    let events = Events::open(&server, &server.request("POST", "/shell/stream").json(&body)).rest();
    let (lines, end) = events.split_at(50);
    assert!(lines.iter().all(|line| *line == ("stdout".to_owned(), json!({"data": "y"}))), "{lines:?}");
    let expected =
        [("error".to_owned(), json!({"error": "output_limit"})), ("exit".to_owned(), json!({"exit_code": -9}))];
    assert_eq!(end, expected);
    nap.is_gone();
}

/// The time runs until the child has ended, whatever it has closed.
#[test]
fn closed_pipes_do_not_stop_the_clock() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let body = json!({"command": format!("sh -c 'exec >&- 2>&-; {}'", nap.command()), "timeout": 0.3});
    shell_times_out(&server, &body);
    stream_times_out(&server, &body);
    nap.is_gone();
}

/// A policy's time is over as surely as a caller's, and the caller can't ask for more.
#[test]
fn the_policys_timeout_counts() {
    let limits = json!({"limits": {"timeout_seconds": 0.3}});
    let server = Setup::new().policy(&json!({"endpoints": {"shell": limits, "shell_stream": limits}})).start();
    let nap = Nap::new();
    for timeout in [json!(null), json!(50), json!("inf")] {
        let body = json!({"command": nap.command(), "timeout": timeout});
        shell_times_out(&server, &body);
        stream_times_out(&server, &body);
    }
    nap.is_gone();
}
