//! `abxd check-config`: reports about a policy that nobody serves.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::harness::{Outcome, Program, Setup};

fn check(policy: &Value, arguments: &[&str]) -> Outcome {
    let program = Program::abxd(["check-config"]).env("ABX_SERVER_POLICY", policy.to_string());
    arguments.iter().fold(program, |program, argument| program.arg(argument)).run()
}

#[track_caller]
fn report(policy: &Value) -> Value {
    let outcome = check(policy, &["--json"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    assert!(outcome.stdout.starts_with("{\n  "), "not indented: {}", outcome.stdout);
    serde_json::from_str(&outcome.stdout).unwrap()
}

fn row<'a>(report: &'a Value, endpoint: &str) -> &'a Value {
    let rows = report["endpoints"].as_array().unwrap();
    rows.iter().find(|row| row["endpoint"] == endpoint).unwrap()
}

#[test]
fn the_report_has_a_row_for_every_endpoint() {
    let report = report(&json!({
        "groups": ["dev_tools"],
        "endpoints": {
            "shell": {"enabled": false},
            "files_list": {
                "scopes": [],
                "limits": {"max_entries": 7, "max_request_bytes": "1KiB"},
                "paths": {"allow": ["/srv"], "deny": ["*.pem"], "read_only": true},
            },
            "files_upload": {"params": {"overwrite": false}},
        },
    }));
    let rows = report["endpoints"].as_array().unwrap();
    assert_eq!(rows.len(), 118);
    let ids: Vec<_> = rows.iter().map(|row| row["endpoint"].as_str().unwrap()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    let known = ["enabled", "endpoint", "group", "limits", "params", "paths", "rule", "scopes"];
    for row in rows {
        let names: BTreeSet<_> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, known.into(), "{row}");
    }
    let list = row(&report, "files_list");
    assert_eq!(list["limits"], json!({"max_entries": 7, "max_request_bytes": 1024}));
    assert_eq!(list["paths"], json!({"allow": ["/srv"], "deny": ["*.pem"], "read_only": true}));
    assert_eq!((&list["scopes"], &list["rule"], &list["group"]), (&json!([]), &json!(null), &json!("file_ops")));
    assert_eq!(row(&report, "files_upload")["params"], json!({"overwrite": false}));
    assert_eq!(row(&report, "shell")["rule"], "policy:endpoints.shell");
    assert_eq!(row(&report, "code_run")["enabled"], true);
    assert_eq!(row(&report, "browser_navigate")["rule"], "default:opt-in:browser");
}

/// Of a preset the report shows the name, and beside it what decided.
#[test]
fn a_preset_is_named_with_what_decided_in_it() {
    let report = report(&json!({"preset": "read-only"}));
    let row = row(&report, "files_delete");
    assert_eq!((&row["rule"], &row["rule_detail"]), (&json!("preset:read-only"), &json!("endpoints.files_delete")));
}

/// Groups of the environment count.
#[test]
fn enabled_groups_are_honoured() {
    let outcome = Program::abxd(["check-config", "--json"]).env("ABX_SERVER_ENABLED_GROUPS", "browser").run();
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(row(&report, "browser_navigate")["enabled"], true);
    let wrong = Program::abxd(["check-config"]).env("ABX_SERVER_ENABLED_GROUPS", "nonsense").run();
    assert!(wrong.one_line(1).contains("nonsense"));
}

/// For people: a header, a line for each endpoint, and the warnings.
#[test]
fn the_text_has_a_line_for_every_endpoint() {
    let policy = json!({"preset": "transfer-only", "defaults": {"paths": {"allow": ["/"]}}, "endpoints": {"*load": {"scopes": []}}});
    let outcome = check(&policy, &[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    let mut lines = outcome.stdout.lines();
    let header = lines.next().unwrap();
    let revision = report(&policy)["revision"].as_str().unwrap().to_owned();
    assert!(header.contains("transfer-only") && header.contains(&revision), "{header}");
    let (rows, warnings): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with('['));
    assert_eq!(rows.len(), 118);
    assert!(rows.iter().any(|row| row.starts_with("[on ] files_download ") && row.ends_with(" -")), "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("[off] shell ") && row.ends_with(" process:run")), "{rows:#?}");
    assert!(!warnings.is_empty());
    assert!(warnings.iter().all(|line| line.starts_with("warning: L")), "{warnings:#?}");
}

/// Warnings are an error only for who asks for it.
#[test]
fn strict_fails_on_any_warning() {
    let (clean, root) = (json!({}), json!({"defaults": {"paths": {"allow": ["/"]}}}));
    let tokens = json!({"auth": {"tokens": [
        {"id": "a", "token_sha256": "0".repeat(64), "scopes": ["*"]},
        {"id": "b", "token_sha256": "1".repeat(64), "scopes": ["x"]},
    ]}});
    for (policy, id) in [(&root, Some("L2")), (&tokens, Some("L3")), (&clean, None)] {
        for format in [&[][..], &["--json"]] {
            assert_eq!(check(policy, format).code, Some(0));
            let strict = check(policy, &[format, &["--strict"]].concat());
            assert_eq!(strict.code, Some(if id.is_some() { 2 } else { 0 }), "{strict:?}");
            assert!(id.is_none_or(|id| strict.stdout.contains(&format!("{id}:"))), "{strict:?}");
        }
    }
    // Whoever can change the policy's file can change the policy: two warnings, and only for a file that was named.
    let setup = Setup::new();
    let file = setup.place("policy.json");
    fs::write(&file, "{}").unwrap();
    let outcome = Program::abxd(["check-config", "--json", "--strict", "--policy"]).arg(&file).run();
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    let warnings = serde_json::from_str::<Value>(&outcome.stdout).unwrap()["warnings"].clone();
    let ids: Vec<_> = warnings.as_array().unwrap().iter().map(|text| &text.as_str().unwrap()[..3]).collect();
    assert_eq!(ids, ["L5:", "L5:"]);
    let by_variable = Program::abxd(["check-config", "--strict"]).env("ABX_SERVER_POLICY_FILE", &file).run();
    assert_eq!(by_variable.code, Some(0), "{by_variable:?}");
}

/// Checking needs no server's files: no component, no folder of the policy.
#[test]
fn nothing_of_the_machine_is_needed() {
    let outcome = check(&json!({"base_dir": "/no/such/folder", "defaults": {"paths": {"allow": ["/nor/this"]}}}), &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let program = Program::abxd(["check-config"]);
    let setup = Setup::new();
    let alone = setup.place("abxd");
    fs::copy(crate::harness::abxd(), &alone).unwrap();
    assert_eq!(program.at(&alone).run().code, Some(0));
}
