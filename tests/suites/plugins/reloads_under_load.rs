//! Reloading while requests keep coming at fixed times: none is lost, none is refused, and none is served by a mix of what
//! was and what comes. The benchmarks do the same for longer.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use super::component::packed;
use crate::harness::{Server, Setup, wait};

/// Connections at once.
const CLIENTS: u32 = 8;

/// Requests per second, of all together.
const PER_SECOND: u32 = 500;

/// A server whose policy names its plugin, so that one file replaces both.
struct Stage {
    setup: Setup,
    policy: PathBuf,
}

impl Stage {
    fn new() -> Self {
        let setup = Setup::new();
        let policy = setup.place("policy.json");
        let stage = Self { setup: setup.arg("--dev").arg("--policy").arg(&policy), policy };
        stage.put(&stage.policy, policy_with(&packed("echo"), 1));
        stage
    }

    /// Put a file in place, whole.
    fn put(&self, place: &PathBuf, content: impl AsRef<[u8]>) {
        fs::rename(self.setup.keep("fresh", content), place).unwrap();
    }
}

fn policy_with(plugin: &PathBuf, limit: u64) -> String {
    let document = json!({
        "plugins": {"echo": {"file": plugin}},
        "endpoints": {"echo_rule": {"limits": {"max_results": limit}}},
    });
    document.to_string()
}

/// The version of the plugin that answers, and the limit that it was told.
#[track_caller]
fn set(answer: &Value) -> (String, u64) {
    (answer["version"].as_str().unwrap().to_owned(), answer["limit"].as_u64().unwrap())
}

/// Every request of a connection, at its time; each has to be answered, once, by one of `sets`.
fn client(server: &Server, first: Instant, sets: &[(String, u64)], done: &AtomicBool, answered: &AtomicUsize) {
    let request = server.request("GET", "/echo/rule");
    let mut connection = server.connect();
    let mut due = first;
    while !done.load(Ordering::SeqCst) {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let answer = connection.call(&request).ok();
        assert!(sets.contains(&set(&answer)), "{answer}");
        answered.fetch_add(1, Ordering::SeqCst);
        due += Duration::from_secs(1) * CLIENTS / PER_SECOND;
    }
}

/// Let clients come, whom only `sets` may serve, and meanwhile `change` what is served.
fn under_load(server: &Server, sets: &[(&str, u64)], change: impl FnOnce()) {
    let sets: Vec<_> = sets.iter().map(|(version, limit)| ((*version).to_owned(), *limit)).collect();
    let (done, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let begin = Instant::now();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let first = begin + Duration::from_secs(1) * number / PER_SECOND;
                let (sets, done, answered) = (&sets, &done, &answered);
                scope.spawn(move || client(server, first, sets, done, answered))
            })
            .collect();
        // Whatever fails, the clients come to an end.
        let changed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(change));
        let before = answered.load(Ordering::SeqCst);
        wait::until_true("the clients are served to the end", || {
            answered.load(Ordering::SeqCst) > before + 100 || clients.iter().any(|client| client.is_finished())
        });
        done.store(true, Ordering::SeqCst);
        clients.into_iter().for_each(|client| client.join().unwrap());
        changed.unwrap();
    });
}

fn serves(server: &Server, expected: (&str, u64)) {
    let ask = || set(&server.ask("/echo/rule").ok());
    wait::until_true("the other set is served", || ask() == (expected.0.to_owned(), expected.1));
}

#[test]
fn signals_and_changed_policies_lose_no_request() {
    let stage = Stage::new();
    let server = stage.setup.start();
    let sets = [("one", 1), ("two", 2)];
    let texts = [policy_with(&packed("echo"), 1), policy_with(&packed("echo_two"), 2)];
    under_load(&server, &sets, || {
        for round in 1..=8 {
            stage.put(&stage.policy, &texts[round % 2]);
            // Every other change is found by the server itself.
            if round % 4 < 2 {
                server.signal(Signal::HUP);
            }
            serves(&server, sets[round % 2]);
        }
    });
    let count = |reason: &str| server.log.text().matches(&format!("reloaded: {reason}")).count();
    wait::until_true("all are told", || count("SIGHUP") >= 2 && count("a file changed") >= 4);
    let log = server.log.text();
    assert!(!log.contains("not reloaded"), "{log}");
}

#[test]
fn changed_plugins_lose_no_request() {
    let stage = Stage::new();
    let plugin = stage.setup.keep("plugins/echo.wasm", fs::read(packed("echo")).unwrap());
    stage.put(&stage.policy, policy_with(&plugin, 3));
    let server = stage.setup.start();
    under_load(&server, &[("one", 3), ("two", 3)], || {
        for (name, version) in [("echo_two", "two"), ("echo", "one"), ("echo_two", "two")] {
            stage.put(&plugin, fs::read(packed(name)).unwrap());
            serves(&server, (version, 3));
        }
    });
    wait::until_true("all are told", || server.log.text().matches("reloaded: a file changed").count() == 3);
}

/// One that says nothing new, or is no policy at all, changes nothing for anybody.
#[test]
fn reloads_for_nothing_lose_no_request() {
    let stage = Stage::new();
    let server = stage.setup.start();
    let texts = ["{".to_owned(), policy_with(&packed("echo"), 1)];
    under_load(&server, &[("one", 1)], || {
        for round in 0..20 {
            stage.put(&stage.policy, &texts[round % 2]);
            let log = || server.log.text().matches("reloaded").count();
            let before = log();
            server.signal(Signal::HUP);
            wait::until_true("the log tells of it", || log() > before);
        }
    });
}
