//! B10: children that have ended stay as zombies.

use serde_json::json;

use crate::harness::processes::{self, descendants};
use crate::harness::{Setup, wait};

/// B10: without any further call.
#[test]
fn ended_children_are_reaped_unasked() {
    let server = Setup::new().start();
    for number in 0..10 {
        server.process("true", &json!({"capture_output": number % 2 == 0, "stdin": number % 3 == 0}));
    }
    wait::until_true("nothing is left of them", || descendants(server.pid()).is_empty());
}

/// A descendant whose parents have all ended is reaped too, when it ends.
#[test]
fn adopted_orphans_are_reaped() {
    let server = Setup::new().start();
    let orphan: u32 =
        server.shell("sh -c '(sleep 0.3 & echo $!)'").ok()["stdout"].as_str().unwrap().trim().parse().unwrap();
    wait::until_true("nothing is left of it", || processes::look(orphan).is_none());
    // Many at once, and in sessions of their own.
    server.shell("sh -c 'for i in $(seq 50); do (setsid sleep 0.2 &) ; done'").ok();
    wait::until_true("nothing is left of them", || descendants(server.pid()).is_empty());
}

/// As a container's first process, too: whatever is orphaned in it, by whomever, becomes a child of the server.
#[test]
fn pid_1_reaps_all_orphans() {
    let server = Setup::new().with_pid_1().start();
    let inner = server.inner_pid();
    // Neither by its session nor by its parents does anything lead to the call that made these.
    server.shell("sh -c 'for i in $(seq 50); do (setsid sh -c \"(setsid sleep 0.2 &)\" &) ; done'").ok();
    wait::until_true("nothing is left of them", || descendants(inner).is_empty());
    // One that came into the namespace from outside, as `docker exec` makes them: in a session of its own.
    server.run_beside("(sleep 0.2; exit 7) & exec true");
    wait::until_true("nothing is left of it", || descendants(inner).is_empty());
    // Its own children keep their ends meanwhile.
    let ends = server.shell("sh -c '(setsid sh -c \"exit 3\" &); exit 5'").ok();
    assert_eq!(ends["exit_code"], 5);
}

/// Nothing is left of calls that were answered, or given up.
#[test]
fn calls_leave_no_child() {
    let server = Setup::new().start();
    server.shell("true").ok();
    server.shell("sh -c 'kill -9 $$'").ok();
    server.post("/shell", &json!({"command": "sleep 50", "timeout": 0.1})).failed(500);
    server.post("/shell/stream", &json!({"command": "true"}));
    let mut connection = server.connect();
    connection.send(server.request("POST", "/shell").json(&json!({"command": "sleep 50"})).bytes());
    wait::until_true("it runs", || !descendants(server.pid()).is_empty());
    drop(connection);
    wait::until_true("nothing is left", || descendants(server.pid()).is_empty());
}
