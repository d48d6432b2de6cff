//! `/health` answers while everything else is busy (decision D11).

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Connection, Request, Server, Setup, wait};

/// Longest time that one answer may take here. Tells a hang from an answer, and measures nothing.
const BOUND: Duration = Duration::from_secs(10);

/// Descriptors that these tests may need, of the soft limit's hard one.
fn raise_descriptor_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

#[track_caller]
fn answers(server: &Server, times: usize) {
    for _ in 0..times {
        let begin = Instant::now();
        assert_eq!(server.call(&Request::new("GET", "/health")).ok(), json!({"status": "ok"}));
        let took = begin.elapsed();
        assert!(took < BOUND, "{took:?}");
    }
}

/// More requests that wait for their bodies than there are instances of components, or threads of any kind.
#[test]
fn while_every_instance_waits_for_a_body() {
    raise_descriptor_limit();
    let server = Setup::new().start();
    let waiting: Vec<Connection> = (0..1200)
        .map(|number| {
            let mut connection = server.connect();
            let target = server.base().join(format!("{number}"));
            let request = server.request("POST", "/upload").query("path", target.to_str().unwrap());
            let request = request.header("Content-Type", "application/octet-stream").header("Content-Length", "100");
            connection.send(request.head());
            connection.send("begun");
            connection
        })
        .collect();
    answers(&server, 20);
    drop(waiting);
    answers(&server, 20);
    // And the others are served again.
    wait::until_true("a component answers", || server.get("/files/stat", server.base()).status == 200);
}

/// Answers that nobody reads, and connections that say nothing.
#[test]
fn while_clients_stall() {
    raise_descriptor_limit();
    let server = Setup::new().start();
    let large = server.base().join("large");
    std::fs::File::create(&large).unwrap().set_len(100 << 20).unwrap();
    let mut stalled: Vec<Connection> = Vec::new();
    for _ in 0..300 {
        let mut connection = server.connect();
        connection.send(server.request("GET", "/download").query("path", large.to_str().unwrap()).bytes());
        stalled.push(connection);
        let mut half = server.connect();
        half.send("GET /hea");
        stalled.push(half);
        stalled.push(server.connect());
    }
    answers(&server, 20);
}

/// Work without a pause on every other endpoint.
#[test]
fn while_requests_come_without_a_pause() {
    let server = Setup::new().start();
    for number in 0..2000 {
        std::fs::write(server.base().join(format!("{number}")), "x").unwrap();
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut connection = server.connect();
                let base = server.base();
                let list = server.request("GET", "/files/list").query("path", base.to_str().unwrap());
                let refused = server.request("POST", "/files/mkdir").body("{");
                while !done.load(Ordering::Relaxed) {
                    connection.call(&list).ok();
                    connection.call(&refused).refused(400, "bad_body");
                }
            });
        }
        // Set also when an assertion fails: the threads would go on.
        struct Finish<'a>(&'a AtomicBool);
        impl Drop for Finish<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _finish = Finish(&done);
        answers(&server, 50);
    });
}

/// A policy that shuts everything off, and a caller with nothing to show.
#[test]
fn whatever_the_policy_says() {
    for policy in [
        json!({"preset": "locked"}),
        json!({"defaults": {"enabled": false, "scopes": ["a:b"], "audit": "off"}}),
        json!({"endpoints": {"*": {"enabled": false}}}),
        json!({"auth": {"allow_anonymous": false}}),
    ] {
        let server = Setup::new().with_token().policy(&policy).start();
        answers(&server, 1);
    }
}
