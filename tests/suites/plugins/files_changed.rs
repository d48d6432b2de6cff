//! Reloading because a file changed: only where children of the server can't have changed it, or with `--dev`.

use std::fs;

use serde_json::json;

use super::reloads::{Stage, version};
use crate::harness::{Setup, abxd, is_root, wait};

#[test]
fn with_dev_a_change_is_taken() {
    let stage = Stage::new();
    let server = stage.setup.clone().arg("--dev").start();
    assert_eq!(version(&server), "one");
    stage.put_version("echo_two");
    wait::until_true("the new version answers", || version(&server) == "two");
    stage.put(&stage.policy, r#"{"endpoints":{"echo_text":{"enabled":false}}}"#);
    wait::until_true("the new policy is in force", || server.ask("/echo").status == 404);
}

/// Looks happen every second: a server that takes the second of two changes shows that one that takes none has looked.
#[test]
fn a_file_that_children_could_have_changed_is_not_taken() {
    let stage = Stage::new();
    let careful = stage.setup.start();
    let ports = [crate::harness::free_port(), crate::harness::free_port()].map(|port| port.to_string());
    let dev = Setup::alone(&["serve", "--host", "127.0.0.1", "--port", &ports[0], "--pty-port", &ports[1], "--dev"]);
    let dev = dev.on_port(ports[0].parse().unwrap()).plugin(&stage.plugin).start();
    for (name, expected) in [("echo_two", "two"), ("echo", "one"), ("echo_two", "two")] {
        stage.put_version(name);
        wait::until_true("the other server takes it", || version(&dev) == expected);
        assert_eq!(version(&careful), "one");
    }
    assert!(!careful.log.text().contains("reloaded"));
}

/// Of another owner's file a change is the operator's. Takes root, to have another owner.
#[test]
fn a_file_of_another_owner_is_taken() {
    if !is_root() {
        return;
    }
    let stage = Stage::new();
    let setup = stage.setup.clone().with_nobody();
    fs::copy(abxd().with_file_name("abxd-compiler"), setup.place("program/abxd-compiler")).unwrap();
    let server = setup.start();
    stage.put_version("echo_two");
    wait::until_true("the new version answers", || version(&server) == "two");
}

/// Also of a plugin that only the policy names; and nothing is reloaded without a reason.
#[test]
fn files_that_the_policy_names_are_looked_at() {
    let stage = Stage::new();
    let policy = json!({"plugins": {"echo": {"file": &stage.plugin}}});
    let setup = Setup::new().policy(&policy).arg("--dev");
    let server = setup.start();
    stage.put_version("echo_two");
    wait::until_true("the new version answers", || version(&server) == "two");
    wait::until_true("it is told", || server.log.text().contains("reloaded: a file changed"));
    // A second one would come with the next look at the files, so before that of the next version.
    stage.put_version("echo");
    wait::until_true("the version before answers", || version(&server) == "one");
    wait::until_true("both are told", || server.log.text().matches("reloaded: a file changed").count() >= 2);
    assert_eq!(server.log.text().matches("reloaded: a file changed").count(), 2);
}

/// What a reload reads is watched from then on, also where it was read in vain; and a reload is no change.
#[test]
fn files_that_a_reload_names_are_looked_at() {
    let stage = Stage::new();
    let setup = Setup::new().arg("--dev").arg("--policy").arg(&stage.policy);
    let server = setup.start();
    stage.put(&stage.plugin, "no component");
    stage.put(&stage.policy, json!({"plugins": {"echo": {"file": &stage.plugin}}}).to_string());
    wait::until_true("the policy is looked at", || server.log.text().contains("not reloaded (a file changed)"));
    stage.put_version("echo");
    wait::until_true("the plugin is looked at", || server.ask("/echo").status == 200);
    stage.put_version("echo_two");
    wait::until_true("the new version answers", || version(&server) == "two");
    wait::until_true("both are told", || server.log.text().matches("reloaded: a file changed").count() == 2);
}
