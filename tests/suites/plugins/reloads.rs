//! Reloading on SIGHUP.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::json;

use super::component::packed;
use crate::harness::{Server, Setup, wait};

/// A server whose one plugin, and policy, can be replaced.
pub(super) struct Stage {
    pub(super) setup: Setup,
    pub(super) plugin: PathBuf,
    pub(super) policy: PathBuf,
}

impl Stage {
    pub(super) fn new() -> Self {
        let setup = Setup::new();
        let plugin = setup.keep("plugins/echo.wasm", fs::read(packed("echo")).unwrap());
        let policy = setup.keep("policy.json", "{}");
        let setup = setup.arg("--plugin").arg(plugin.parent().unwrap()).arg("--policy").arg(&policy);
        Self { setup, plugin, policy }
    }

    /// Put another file in a file's place, whole.
    pub(super) fn put(&self, place: &PathBuf, bytes: impl AsRef<[u8]>) {
        let fresh = self.setup.keep("fresh", bytes);
        fs::rename(fresh, place).unwrap();
    }

    pub(super) fn put_version(&self, name: &str) {
        self.put(&self.plugin, fs::read(packed(name)).unwrap());
    }
}

/// Which version of the plugin answers.
#[track_caller]
pub(super) fn version(server: &Server) -> String {
    server.ask("/echo").ok()["version"].as_str().unwrap().to_owned()
}

#[track_caller]
fn reloads(server: &Server, what: &str, ask: impl FnMut() -> bool) {
    server.signal(Signal::HUP);
    wait::until_true(what, ask);
}

/// Reload, and wait until the log says why nothing changed.
#[track_caller]
fn is_not_reloaded(server: &Server, reason: &str) {
    let count = || server.log.text().matches("not reloaded (SIGHUP): ").count();
    let before = count();
    reloads(server, "the log says why", || count() > before);
    let log = server.log.text();
    let line = log.lines().rfind(|line| line.contains("not reloaded (SIGHUP): ")).unwrap();
    assert!(line.contains(reason) && line.ends_with("; what was served goes on"), "{line}");
}

#[test]
fn a_new_version_is_served() {
    let stage = Stage::new();
    let server = stage.setup.start();
    assert_eq!(version(&server), "one");
    stage.put_version("echo_two");
    reloads(&server, "the new version answers", || version(&server) == "two");
    let plugin = server.plugin("echo");
    assert_eq!((&plugin["version"], &plugin["state"]), (&json!("2.0.0"), &json!("serving")));
}

#[test]
fn plugins_come_and_go() {
    let stage = Stage::new();
    let server = stage.setup.start();
    let second = stage.plugin.with_file_name("stillborn.wasm");
    stage.put(&second, fs::read(packed("stillborn")).unwrap());
    reloads(&server, "a plugin comes", || server.ask("/stillborn").status == 503);
    fs::remove_file(&second).unwrap();
    reloads(&server, "a plugin goes", || server.ask("/stillborn").status == 404);
    assert_eq!(version(&server), "one");
}

#[test]
fn requests_in_flight_end_on_the_version_they_began_on() {
    let stage = Stage::new();
    let policy = json!({"plugins": {"echo": {"budget": {"slots": 1, "wait_seconds": 0.05}}}});
    stage.put(&stage.policy, policy.to_string());
    let server = stage.setup.start();
    let mut early = server.connect();
    let request = server.request("POST", "/echo").body("{\"text\": \"early\"}");
    early.send(request.head());
    wait::until_true("the request has its slot", || server.ask("/echo").status == 503);
    stage.put_version("echo_two");
    reloads(&server, "the new version answers", || server.ask("/echo").status == 200);
    assert_eq!(version(&server), "two");
    early.send("{\"text\": \"early\"}");
    let answer = early.answer().ok();
    assert_eq!((&answer["version"], &answer["text"]), (&json!("one"), &json!("early")));
    // The connection goes on with what is served now.
    assert_eq!(early.call(&request).ok()["version"], "two");
}

#[test]
fn a_set_that_would_not_start_is_refused_and_the_old_one_stays() {
    let stage = Stage::new();
    let server = stage.setup.start();
    stage.put(&stage.plugin, b"\0asm\x0d\0\x01\0");
    is_not_reloaded(&server, "echo.wasm: no manifest in it");
    stage.put(&stage.plugin, fs::read(packed("hostile")).unwrap());
    is_not_reloaded(&server, "echo.wasm: it imports `files`, which is not granted; `--grant hostile:files` grants it");
    stage.put_version("echo");
    for (policy, reason) in [
        ("{", "policy.json"),
        (r#"{"plugins":{"nobody":{}}}"#, "there is no plugin with group `nobody`"),
        (r#"{"endpoints":{"nope":{}}}"#, "nope"),
        (r#"{"auth":{"tokens":[{"id":"a","token_env":"NOT_SET","scopes":["*"]}]}}"#, "NOT_SET"),
    ] {
        stage.put(&stage.policy, policy);
        is_not_reloaded(&server, reason);
        assert_eq!(version(&server), "one");
    }
    stage.put(&stage.policy, "{}");
    stage.put_version("echo_two");
    reloads(&server, "a good set is taken after bad ones", || version(&server) == "two");
}

#[test]
fn a_policy_is_reloaded_with_its_plugins() {
    let stage = Stage::new();
    let server = stage.setup.start();
    let revision = || server.ask("/capabilities").ok()["policy"]["revision"].clone();
    let before = revision();
    stage.put(&stage.policy, r#"{"endpoints":{"echo_text":{"enabled":false}}}"#);
    reloads(&server, "the policy is in force", || server.ask("/echo").status == 404);
    assert_ne!(revision(), before);
    stage.put(&stage.policy, "{}");
    reloads(&server, "the old policy is back", || server.ask("/echo").status == 200);
    assert_eq!(revision(), before);
}
