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

/// What a policy names at a reload is the server's own from then on, to its end: with the operator's grants, whoever
/// could write to it would have them.
#[test]
fn a_plugin_that_a_reload_adds_is_nobody_elses() {
    let setup = Setup::new();
    let policy = setup.keep("policy.json", "{}");
    let folder = setup.base().join("pl");
    fs::create_dir(&folder).unwrap();
    let (plugin, refused) = (folder.join("echo.wasm"), folder.join("refused.wasm"));
    fs::copy(packed("echo"), &plugin).unwrap();
    fs::write(&refused, "no component").unwrap();
    let server = setup.clone().arg("--policy").arg(&policy).start();
    let names = |file: &PathBuf| json!({"plugins": {"echo": {"file": file}}}).to_string();
    let is_kept = |what: &str| {
        for (operation, answer) in [
            ("upload", server.upload(&plugin, "mine")),
            ("download", server.get("/download", &plugin)),
            ("delete", server.call(&server.request("DELETE", "/files").query("path", plugin.to_str().unwrap()))),
            ("delete around", server.call(&server.request("DELETE", "/files").query("path", folder.to_str().unwrap()))),
            ("move", server.post("/files/move", &json!({"source": &folder, "destination": "moved"}))),
        ] {
            assert_eq!((answer.status, &answer.json()["code"]), (403, &json!("path_denied")), "{what}: {operation}");
        }
    };
    fs::write(&policy, names(&plugin)).unwrap();
    reloads(&server, "the plugin comes", || server.ask("/echo").status == 200);
    is_kept("in force");
    // What did not come into force is not.
    fs::write(&policy, names(&refused)).unwrap();
    is_not_reloaded(&server, "refused.wasm");
    server.upload(&refused, "mine").ok();
    is_kept("still in force");
    fs::write(&policy, "{}").unwrap();
    reloads(&server, "the plugin goes", || server.ask("/echo").status == 404);
    is_kept("no longer in force");
}

/// Components are often links into a store.
#[test]
fn what_a_link_in_the_directory_of_plugins_leads_to_is_nobody_elses() {
    let setup = Setup::new();
    let stored = setup.base().join("echo-1.wasm");
    fs::copy(packed("echo"), &stored).unwrap();
    fs::create_dir(setup.place("plugins")).unwrap();
    std::os::unix::fs::symlink(&stored, setup.place("plugins/echo.wasm")).unwrap();
    let server = setup.clone().plugin(setup.place("plugins")).start();
    server.ask("/echo").ok();
    server.upload(&stored, "mine").refused(403, "path_denied");
}

/// None of it is waited for, or taken in without end, and what comes after is taken.
#[test]
fn a_policy_that_has_become_something_else_is_refused_and_the_old_one_stays() {
    let stage = Stage::new();
    let server = stage.setup.start();
    let policy = &stage.policy;
    let replaced = |make: &dyn Fn()| {
        let removed = if policy.is_dir() { fs::remove_dir(policy) } else { fs::remove_file(policy) };
        removed.unwrap();
        make();
    };
    let make_pipe = || rustix::fs::mkfifoat(rustix::fs::CWD, policy, 0o600.into()).unwrap();
    let link = |to: &str| std::os::unix::fs::symlink(to, policy).unwrap();
    let make_large = || fs::File::create(policy).unwrap().set_len((16 << 20) + 1).unwrap();
    let cases: [(&str, &dyn Fn(), &str); 5] = [
        ("a pipe", &make_pipe, "not a regular file"),
        ("a device without end", &|| link("/dev/zero"), "not a regular file"),
        ("a directory", &|| fs::create_dir(policy).unwrap(), "not a regular file"),
        ("a large file", &make_large, "larger than 16777216 bytes"),
        ("nothing", &|| link("nowhere"), "No such file or directory"),
    ];
    for (what, make, reason) in cases {
        replaced(make);
        is_not_reloaded(&server, reason);
        assert_eq!(version(&server), "one", "{what}");
    }
    replaced(&|| fs::write(policy, r#"{"endpoints":{"echo_text":{"enabled":false}}}"#).unwrap());
    reloads(&server, "a policy is taken after what was none", || server.ask("/echo").status == 404);
}
