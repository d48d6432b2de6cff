//! Components that compute, sleep, crash or end in the middle of a request: each has its answer, and the next request of
//! its group is served.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::component::{budget, packed};
use super::neighbours::while_others_are_served;
use crate::harness::{Setup, wait};

const TIMEOUT: (u16, &str) = (504, "plugin_timeout");
const FAILED: (u16, &str) = (500, "plugin_failed");

#[test]
fn every_breakdown_has_its_answer_and_leaves_the_others_alone() {
    let server = Setup::new().with_hostile().start();
    for (what, (status, code)) in [
        ("loop", TIMEOUT),
        ("spin_clock", TIMEOUT),
        ("spin_stat", TIMEOUT),
        ("sleep", TIMEOUT),
        ("recurse", FAILED),
        ("panic", FAILED),
        ("exit", FAILED),
        ("grow", FAILED),
        ("forge", FAILED),
    ] {
        let target = format!("/hostile/{what}");
        let answer = while_others_are_served(&server, || server.ask(&target));
        let body = answer.is_broken(status, code);
        assert_eq!(body["endpoint"], format!("hostile_{what}"));
        // A broken instance is not used again.
        assert_eq!(server.ask("/hostile/nothing").status, 204, "after {what}");
    }
}

/// The words of a panic, and where in the component it was, are for the operator.
#[test]
fn what_a_plugin_says_when_it_breaks_is_in_the_log() {
    let server = Setup::new().with_hostile().start();
    let body = server.breaks("/hostile/panic", 500, "plugin_failed");
    assert_eq!(body["error"], "the plugin broke down");
    wait::until_true("the panic is in the log", || {
        let log = server.log.text();
        log.contains("a secret of the plugin group=\"hostile\"") && log.contains("abx_test_hostile.wasm!")
    });
}

#[test]
fn a_plugin_that_does_not_start_is_unavailable() {
    let server = Setup::new().plugin(packed("stillborn")).with_hostile().start();
    let answer = while_others_are_served(&server, || server.ask("/stillborn"));
    let body = answer.is_broken(503, "plugin_unavailable");
    assert_eq!(body["endpoint"], "stillborn");
    assert_eq!(server.plugin("stillborn")["state"], "failing");
}

/// A client that is gone takes its call along. One that has only said all that it has to say does not.
#[test]
fn a_call_ends_with_its_client() {
    let policy = budget(&json!({"slots": 1, "wall_seconds": 3600, "wait_seconds": 0.05}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let mut leaver = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    leaver.write_all(&server.request("GET", "/hostile/sleep").bytes()).unwrap();
    wait::until_true("the only slot is taken", || server.ask("/hostile/nothing").status == 503);
    // So that closing says that nothing will be read any more.
    rustix::net::sockopt::set_socket_linger(&leaver, Some(Duration::ZERO)).unwrap();
    drop(leaver);
    wait::until_true("the slot is free", || server.ask("/hostile/nothing").status == 204);
}
