//! B29: a command goes on although the client that waits for it has left.

use serde_json::json;

use crate::harness::{Connection, Events, Nap, Server, Setup};

/// Whoever ignores the gentle signal ends too.
const STUBBORN: &str = "sh -c 'trap \"\" TERM INT HUP; NAP & wait; wait; wait'";

fn commands(nap: &Nap) -> [String; 3] {
    [nap.command(), format!("sh -c '(setsid {} &) ; sleep 60'", nap.command()), STUBBORN.replace("NAP", &nap.command())]
}

fn begin(server: &Server, path: &str, command: &str) -> Connection {
    let mut connection = server.connect();
    connection.send(server.request("POST", path).json(&json!({ "command": command })).bytes());
    connection
}

/// B29: the connection is closed.
#[test]
fn a_closed_connection_ends_the_tree() {
    let server = Setup::new().start();
    for path in ["/shell", "/shell/stream"] {
        let nap = Nap::new();
        for command in commands(&nap) {
            let connection = begin(&server, path, &command);
            nap.begins();
            drop(connection);
            nap.is_gone();
        }
    }
}

/// B29: the client says that it sends nothing more. It is not asked whether it still reads.
#[test]
fn a_half_closed_connection_ends_the_tree() {
    let server = Setup::new().start();
    let nap = Nap::new();
    for command in commands(&nap) {
        let mut connection = begin(&server, "/shell", &command);
        nap.begins();
        connection.end_writing();
        nap.is_gone();
        // What is answered then is nobody's business, but it is an answer.
        assert!(connection.answer().status >= 400);
    }
    for command in commands(&nap) {
        let request = server.request("POST", "/shell/stream").json(&json!({ "command": command }));
        let events = Events::open(&server, &request);
        nap.begins();
        events.end_writing();
        nap.is_gone();
        let rest = events.rest_of_a_broken_one();
        assert!(!rest.contains("exit"), "{rest}");
    }
}

/// A stream that writes without end has nobody to write to: the command ends, and so does what it holds.
#[test]
fn a_client_that_left_a_busy_stream_ends_it() {
    let policy = json!({"endpoints": {"shell_stream": {"limits": {"max_concurrency": 1}}}});
    let server = Setup::new().policy(&policy).start();
    let nap = Nap::new();
    let command = format!("sh -c '{} & yes'", nap.command());
    let request = server.request("POST", "/shell/stream").json(&json!({ "command": command }));
    let mut events = Events::open(&server, &request);
    events.event().unwrap();
    nap.begins();
    server.call(&request).refused(429, "concurrency_limited");
    drop(events);
    nap.is_gone();
    crate::harness::wait::until_true("its place is free", || {
        server.post("/shell/stream", &json!({"command": "true"})).status == 200
    });
}

/// What was started in the background does not wait for its client.
#[test]
fn a_background_process_outlives_its_client() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let mut connection = begin(&server, "/process/start", &nap.command());
    connection.answer().ok();
    drop(connection);
    let mut reader = server.connect();
    let pid = nap.begins();
    // A reader of its output that leaves disturbs it as little.
    reader.send(server.request("GET", &format!("/process/{pid}/output?wait=30")).bytes());
    drop(reader);
    server.shell("true").ok();
    assert_eq!(nap.sleepers(), [pid]);
}
