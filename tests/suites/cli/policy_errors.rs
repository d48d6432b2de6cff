//! A policy that can't be used: the line names the place and what would be right (contract: policy §2).

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Program, Setup};

/// Documents with what the line about each has to name: the key, and the correction where there is a near one.
fn table() -> Vec<(Value, &'static [&'static str])> {
    let token = |token: Value| json!({"auth": {"tokens": [token]}});
    vec![
        // Misspelt, at every level.
        (json!({"endpionts": {}}), &["endpionts", "endpoints"]),
        (json!({"group": []}), &["group", "groups"]),
        (json!({"defaults": {"enable": true}}), &["enable", "enabled"]),
        (json!({"endpoints": {"shell": {"limit": {}}}}), &["limit", "limits"]),
        (json!({"endpoints": {"files_*": {"paths": {"readonly": true}}}}), &["readonly", "read_only"]),
        (json!({"endpoints": {"files_*": {"limits": {"max_byte": 5}}}}), &["max_byte", "max_bytes"]),
        (json!({"endpoints": {"files_*": {"params": {"overwrit": true}}}}), &["overwrit", "overwrite"]),
        (json!({"auth": {"allow_anonymus": true}}), &["allow_anonymus", "allow_anonymous"]),
        (json!({"groups": ["proces"]}), &["proces", "process"]),
        (json!({"groups": {"brwoser": true}}), &["brwoser", "browser"]),
        // Selectors.
        (json!({"endpoints": {"files_lst": {}}}), &["files_lst", "files_list"]),
        (json!({"endpoints": {"group:proces": {}}}), &["proces", "process"]),
        (json!({"endpoints": {"group:*": {}}}), &["unknown group", "*"]),
        (json!({"endpoints": {"": {}}}), &["endpoints"]),
        // Knobs that an endpoint does not have.
        (json!({"endpoints": {"health": {"paths": {}}}}), &["health", "paths"]),
        (json!({"endpoints": {"files_stat": {"limits": {"max_bytes": 5}}}}), &["files_stat", "max_bytes"]),
        (json!({"endpoints": {"files_stat": {"params": {"overwrite": true}}}}), &["files_stat", "overwrite"]),
        // Types and values.
        (json!({"version": 2}), &["version"]),
        (json!({"version": true}), &["version"]),
        (json!({"preset": 5}), &["preset"]),
        (json!({"base_dir": "relative"}), &["base_dir"]),
        (json!({"groups": {"core": false}}), &["core"]),
        (json!({"groups": {"process": "on"}}), &["process"]),
        (json!({"defaults": null}), &["defaults"]),
        (json!({"defaults": {"audit": "some"}}), &["audit", "deny"]),
        (json!({"defaults": {"scopes": ["A:b"]}}), &["scopes", "A:b"]),
        (json!({"defaults": {"paths": {"allow": ["relative"]}}}), &["allow", "absolute"]),
        (json!({"defaults": {"paths": {"deny": [""]}}}), &["deny"]),
        (json!({"defaults": {"paths": {"symlinks": "follow"}}}), &["symlinks", "within"]),
        (json!({"defaults": {"limits": {"rate_per_minute": 0}}}), &["rate_per_minute"]),
        (json!({"defaults": {"limits": {"rate_per_minute": 5.0}}}), &["rate_per_minute"]),
        (json!({"defaults": {"limits": {"max_request_bytes": "5k"}}}), &["max_request_bytes", "size"]),
        (token(json!({"id": "a", "scopes": []})), &["token_env"]),
        (token(json!({"id": "a", "scopes": [], "token": "plain-s3cret"})), &["token"]),
        (token(json!({"id": "a", "scopes": [], "token_sha256": "s3cret"})), &["token_sha256"]),
        (token(json!({"id": "", "scopes": [], "token_env": "HOME"})), &["id"]),
        (token(json!({"id": "a", "token_env": "HOME"})), &["scopes"]),
        (json!({"endpoints": {"shell": {"params": {"allow_commands": ["\""]}}}}), &["allow_commands"]),
    ]
}

/// Both who serves and who checks say the same, in one line, and stop.
#[test]
fn each_fault_is_named_with_its_place_and_what_would_be_right() {
    let setup = Setup::new();
    let file = setup.place("policy.json");
    for (document, named) in table() {
        fs::write(&file, document.to_string()).unwrap();
        let served = setup.clone().arg("--policy").arg(&file).run();
        let checked = Program::abxd(["check-config", "--policy"]).arg(&file).env("HOME", "/").run();
        let line = served.one_line(1);
        assert_eq!(checked.one_line(1), line, "{document}");
        for word in named {
            assert!(line.contains(word), "{document}: {word} is not in: {line}");
        }
        assert!(line.contains(file.to_str().unwrap()), "{document}: {line}");
        assert!(!line.contains("plain-s3cret"), "a secret is shown: {line}");
    }
}

/// A place is a line and a column of the file, in both syntaxes.
#[test]
fn the_place_in_the_file_is_named() {
    let setup = Setup::new();
    for (name, text, place) in [
        ("policy.json", "{\n  \"defaults\": {\n    \"enable\": true\n  }\n}\n", "line 3"),
        ("policy.yaml", "groups:\n  - process\n  - nonsense\n", "line 3"),
        ("policy.yml", "version: 1\nversion: 1\n", "line 2"),
    ] {
        let file = setup.place(name);
        fs::write(&file, text).unwrap();
        let outcome = setup.clone().arg("--policy").arg(&file).run();
        assert!(outcome.one_line(1).contains(place), "{outcome:?}");
    }
}

/// YAML says the same as JSON.
#[test]
fn yaml_is_the_same_grammar() {
    let setup = Setup::new();
    let revision = |name: &str, text: &str| {
        let file = setup.place(name);
        fs::write(&file, text).unwrap();
        let outcome = Program::abxd(["check-config", "--json", "--policy"]).arg(&file).run();
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        serde_json::from_str::<Value>(&outcome.stdout).unwrap()["revision"].clone()
    };
    let json = revision(
        "a.json",
        r#"{"groups": {"process": true}, "endpoints": {"files_*": {"limits": {"max_request_bytes": "5MB"}, "enabled": false}}}"#,
    );
    let yaml =
        "groups:\n  process: yes\nendpoints:\n  files_*:\n    limits: {max_request_bytes: 5MB}\n    enabled: off\n";
    assert_eq!(revision("a.yaml", yaml), json);
    // The contract's own revisions (policy §9).
    assert_eq!(revision("b.json", "{}"), "2430f1a2ad2982d0");
    assert_eq!(revision("c.json", r#"{"preset":"locked"}"#), "23044476048c9315");
}
