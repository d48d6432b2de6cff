//! What operators see of plugins: `abxd plugin list` and `/capabilities`.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::component::packed;
use crate::harness::Setup;

fn digest(name: &str) -> String {
    let bytes = std::fs::read(packed(name)).unwrap();
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_list_shows_each_group() {
    let outcome = Setup::alone(&["plugin", "list"]).with_hostile().run();
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let mut lines = outcome.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(lines.next().unwrap(), ["GROUP", "VERSION", "STATE", "DIGEST", "ASKS", "GRANTED"]);
    let rows: Vec<_> = lines.collect();
    let row =
        |group: &str| rows.iter().find(|row| row[0] == group).unwrap_or_else(|| panic!("{group}: {rows:?}")).clone();
    let hostile = row("hostile");
    assert_eq!(hostile[1..5], ["1.0.0", "serving", &digest("hostile")[..16], "bulk,clock,files,log"]);
    let mut granted: Vec<_> = hostile[5].split(',').collect();
    granted.sort_unstable();
    assert_eq!(granted, ["bulk", "clock", "files", "log"]);
    assert_eq!(row("echo")[1..], ["1.0.0", "serving", &digest("echo")[..16], "bulk,rule", "bulk,rule"]);
    assert_eq!(row("file_ops")[2..5], ["serving", "built", "in"]);
    assert_eq!(row("browser")[2], "off");
}

#[test]
fn a_set_that_would_not_start_is_no_list() {
    let outcome = Setup::alone(&["plugin", "list"]).plugin(packed("hostile")).run();
    assert!(outcome.one_line(1).ends_with("`--grant hostile:files` grants it"), "{outcome:?}");
}

#[test]
fn capabilities_show_what_each_plugin_is_and_may() {
    let server = Setup::new().with_hostile().start();
    assert_eq!(
        server.plugin("echo"),
        json!({
            "group": "echo", "version": "1.0.0", "state": "serving", "digest": digest("echo"),
            "asks": ["bulk", "rule"], "granted": ["bulk", "rule"],
        })
    );
    assert_eq!(server.plugin("file_ops")["state"], "serving");
    assert_eq!(server.plugin("browser")["state"], "off");
    let capabilities = server.ask("/capabilities").ok();
    assert_eq!(capabilities["groups"]["echo"], true);
    assert_eq!(capabilities["group_summary"]["echo"], json!({"enabled": 3, "total": 3}));
    let entry = &capabilities["endpoints"]["echo_text"];
    assert_eq!(entry["path"], "/echo");
    assert_eq!(entry["scopes"], json!(["echo:text"]));
    assert_eq!(entry.get("paths"), None);
}

/// A group that is off costs nothing and says why.
#[test]
fn a_plugin_can_be_switched_off() {
    let policy = json!({"groups": {"echo": false}});
    let server = Setup::new().plugin(packed("echo")).policy(&policy).start();
    assert_eq!(server.ask("/echo").refused(404, "endpoint_disabled")["rule"], "policy:groups.echo");
    let plugin = server.plugin("echo");
    assert_eq!((&plugin["state"], &plugin["digest"]), (&json!("off"), &json!(digest("echo"))));
}

/// The policy can name files, grants and budgets as well as the command line can.
#[test]
fn the_policy_loads_and_grants() {
    let policy = json!({"plugins": {
        "hostile": {"file": packed("hostile"), "grant": ["files"], "budget": {"slots": 1}},
        "echo": {"file": packed("echo")},
    }});
    let server = Setup::new().policy(&policy).start();
    assert_eq!(server.ask("/echo").status, 200);
    assert_eq!(server.ask("/hostile/nothing").status, 204);
    // What both name is one plugin.
    let server = Setup::new().plugin(packed("echo")).plugin(packed("hostile")).policy(&policy).start();
    assert_eq!(server.ask("/hostile/nothing").status, 204);
}
