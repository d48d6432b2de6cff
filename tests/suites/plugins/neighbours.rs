//! What everybody else gets while a component misbehaves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;

use super::component::budget;
use crate::harness::{Answer, Connection, Request, Server, Setup, wait};

/// Do something, and meanwhile, at least once, be served by the host itself, by a built-in component and by another third
/// party's.
#[track_caller]
pub(crate) fn while_others_are_served<T>(server: &Server, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let others = scope.spawn(|| {
            let mut connection = server.connect();
            loop {
                let last = done.load(Ordering::SeqCst);
                are_served(server, &mut connection);
                if last {
                    break;
                }
            }
        });
        let outcome = work();
        done.store(true, Ordering::SeqCst);
        others.join().unwrap();
        outcome
    })
}

#[track_caller]
fn are_served(server: &Server, connection: &mut Connection) {
    assert_eq!(connection.call(&server.request("GET", "/health")).ok(), json!({"status": "ok"}));
    let base = server.base();
    let stat = server.request("GET", "/files/stat").query("path", base.to_str().unwrap());
    assert_eq!(connection.call(&stat).ok()["type"], "directory");
    let echo = server.request("GET", "/echo").query("text", "still here");
    assert_eq!(connection.call(&echo).ok()["text"], "still here");
}

/// Requests that all run at the same time; their answers.
fn at_once(server: &Server, requests: &[Request]) -> Vec<Answer> {
    let mut connections: Vec<_> = requests.iter().map(|_| server.connect()).collect();
    for (connection, request) in connections.iter_mut().zip(requests) {
        connection.send(request.bytes());
    }
    connections.iter_mut().map(Connection::answer).collect()
}

/// Far more calls that compute without end than there are threads.
#[test]
fn a_crowd_of_loops_leaves_the_others_alone() {
    let policy = budget(&json!({"slots": 64, "wall_seconds": 60, "group_memory_bytes": "1GiB"}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let loops = vec![server.request("GET", "/hostile/loop"); 64];
    let answers = while_others_are_served(&server, || at_once(&server, &loops));
    for answer in answers {
        answer.is_broken(504, "plugin_timeout");
    }
}

/// Calls of every kind of misbehaviour at the same time, again and again.
#[test]
fn a_crowd_of_everything_leaves_the_others_alone() {
    let policy = budget(&json!({"slots": 32, "wall_seconds": 5, "group_memory_bytes": "1GiB"}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let kinds = ["loop", "spin_clock", "spin_stat", "sleep", "recurse", "panic", "exit", "grow", "forge", "nothing"];
    let all = || kinds.map(|kind| server.request("GET", &format!("/hostile/{kind}")));
    let requests = [all(), all(), all()].concat();
    while_others_are_served(&server, || {
        for answer in at_once(&server, &requests) {
            // By now some endpoints are left alone for a while.
            assert!(matches!(answer.status, 204 | 500 | 503 | 504), "{answer:?}");
        }
    });
    wait::until_true("the group serves", || server.ask("/hostile/nothing").status == 204);
}
