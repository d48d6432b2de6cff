//! `check-config --explain`: the answer of `POST /capabilities/check`, for a caller with given scopes.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Program, Setup};

/// Ask about a policy; exit code and answer.
#[track_caller]
fn explain(policy: &Value, arguments: &[&str]) -> (Option<i32>, Value) {
    let program = Program::abxd(["check-config", "--explain"]).env("ABX_SERVER_POLICY", policy.to_string());
    let outcome = arguments.iter().fold(program, |program, argument| program.arg(argument)).run();
    assert_eq!(outcome.stderr, "", "{outcome:?}");
    assert!(outcome.stdout.starts_with("{\n  "), "not indented: {outcome:?}");
    (outcome.code, serde_json::from_str(&outcome.stdout).unwrap())
}

#[test]
fn the_exit_code_tells_whether_the_call_would_be_allowed() {
    let policy = json!({
        "base_dir": "/srv/base",
        "endpoints": {"shell": {"enabled": false}, "files_stat": {"paths": {"read_only": true, "deny": ["*.pem"]}}},
    });
    for (arguments, code) in [
        (&["files_stat"][..], None),
        (&["files_stat", "--path", "/srv/base/x"], None),
        (&["files_stat", "--path", "/srv/base/x", "--op", "read"], None),
        (&["files_stat", "--path", "/srv/base/x", "--op", "exec"], None),
        (&["files_stat", "--scopes", "files:read"], None),
        (&["files_stat", "--scopes", "files:*,x"], None),
        (&["files_stat", "--scopes", "*"], None),
        (&["files_stat", "--scopes", ""], None),
        (&["health", "--scopes", "x"], None),
        (&["files_stat", "--scopes", "process:run"], Some("missing_scope")),
        (&["files_stat", "--path", "/etc"], Some("path_not_allowed")),
        (&["files_stat", "--path", ""], Some("invalid_path")),
        (&["files_stat", "--path", "/srv/base/x.pem"], Some("path_denied")),
        (&["files_stat", "--path", "/srv/base/x", "--op", "write"], Some("read_only")),
        (&["files_stat", "--path", "/srv/base/x", "--op", "delete"], Some("read_only")),
        (&["shell"], Some("endpoint_disabled")),
        (&["code_run"], Some("endpoint_disabled")),
        (&["nonsense"], Some("unknown_endpoint")),
    ] {
        let (exit, answer) = explain(&policy, arguments);
        assert_eq!(answer["code"].as_str(), code, "{arguments:?}: {answer}");
        assert_eq!(answer["allowed"], code.is_none(), "{arguments:?}: {answer}");
        assert_eq!(answer["endpoint"], arguments[0]);
        assert_eq!(answer["reason"].is_string(), code.is_some(), "{arguments:?}: {answer}");
        assert_eq!(exit, Some(if code.is_some() { 3 } else { 0 }), "{arguments:?}: {answer}");
    }
    let rule = |endpoint| explain(&policy, &[endpoint]).1["rule"].clone();
    assert_eq!(rule("shell"), "policy:endpoints.shell");
    assert_eq!(rule("code_run"), "default:opt-in:dev_tools");
}

/// A served policy and an explained one say the same.
#[test]
fn the_answer_is_the_servers_own() {
    let setup = Setup::new();
    let policy = json!({"preset": "read-only", "base_dir": setup.base(), "endpoints": {"env_*": {"scopes": ["a:b"]}}});
    let server = setup.policy(&policy).start();
    let (inside, outside) = (server.base().join("x"), server.outside());
    for (endpoint, path) in [
        ("files_stat", Some(inside.to_str().unwrap())),
        ("files_stat", Some(outside.to_str().unwrap())),
        ("files_delete", None),
        ("shell", None),
        ("nonsense", None),
        ("health", Some("/etc")),
    ] {
        let asked = server.post("/capabilities/check", &json!({"endpoint": endpoint, "path": path})).ok();
        let arguments: Vec<_> =
            [endpoint].into_iter().chain(path.into_iter().flat_map(|path| ["--path", path])).collect();
        assert_eq!(explain(&policy, &arguments).1, asked, "{arguments:?}");
    }
}

/// One question has one answer, whatever else is asked for.
#[test]
fn explain_wins_over_the_reports() {
    let policy = json!({"defaults": {"paths": {"allow": ["/"]}}});
    let (code, answer) = explain(&policy, &["files_stat", "--json", "--strict"]);
    assert_eq!((code, &answer["allowed"]), (Some(0), &json!(true)));
    let setup = Setup::new();
    let file = setup.place("policy.json");
    fs::write(&file, "{}").unwrap();
    let (code, _) = explain(&json!({}), &["files_stat", "--strict", "--policy", file.to_str().unwrap()]);
    assert_eq!(code, Some(0));
}
