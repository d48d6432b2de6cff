//! `check-config` with plugins: what `serve` would refuse it refuses, in the same words, and what it would serve it shows.

use std::fs;

use serde_json::{Value, json};

use super::component::{budget, packed};
use crate::harness::{Outcome, Program, Setup};

/// What `check-config` says, and what `serve` does, of the same arguments.
fn both(policy: &Value, arguments: &[&str]) -> [Outcome; 2] {
    let run = |setup: Setup| {
        let setup = arguments.iter().fold(setup, |setup, argument| setup.arg(argument));
        setup.policy(policy).run()
    };
    [run(Setup::alone(&["check-config"])), run(Setup::new())]
}

#[test]
fn endpoints_of_plugins_are_in_the_report() {
    let policy = json!({"endpoints": {"echo_text": {"limits": {"max_concurrency": 3}}}, "groups": ["hostile"]});
    let program = Program::abxd(["check-config", "--json", "--plugin"]).arg(packed("echo")).arg("--plugin");
    let program = program.arg(packed("hostile")).arg("--grant").arg("hostile:files");
    let outcome = program.env("ABX_SERVER_POLICY", policy.to_string()).run();
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let rows = report["endpoints"].as_array().unwrap();
    assert!(rows.len() > 118);
    let row = rows.iter().find(|row| row["endpoint"] == "echo_text").unwrap();
    assert_eq!((&row["group"], &row["limits"]), (&json!("echo"), &json!({"max_concurrency": 3})));
    assert!(rows.iter().any(|row| row["group"] == "hostile"));
}

#[test]
fn a_policy_that_names_its_plugins_is_checked_with_them() {
    let setup = Setup::new();
    let file = setup.keep("echo.wasm", fs::read(packed("echo")).unwrap());
    let policy = json!({"plugins": {"echo": {"file": file}}, "endpoints": {"echo_text": {"enabled": false}}});
    let explained =
        Program::abxd(["check-config", "--explain", "echo_text"]).env("ABX_SERVER_POLICY", policy.to_string());
    let outcome = explained.run();
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let verdict: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(verdict["rule"], "policy:endpoints.echo_text");
    fs::remove_file(file).unwrap();
    assert!(explained.run().one_line(1).contains("echo.wasm"));
}

#[test]
fn what_serve_refuses_is_refused_in_the_same_words() {
    let (echo, hostile) = (packed("echo"), packed("hostile"));
    let (echo, hostile) = (echo.to_str().unwrap(), hostile.to_str().unwrap());
    for (policy, arguments) in [
        (json!({}), &["--plugin", "/no/such/file.wasm"][..]),
        (json!({}), &["--plugin", "/etc/hostname"]),
        (json!({}), &["--plugin", hostile]),
        (json!({}), &["--plugin", hostile, "--grant", "hostile:nonsense"]),
        (json!({}), &["--plugin", echo, "--plugin", echo]),
        (json!({}), &["--grant", "echo:files"]),
        (json!({}), &["--plugin", echo, "--grant", "nobody:files"]),
        (json!({"plugins": {"nobody": {}}}), &["--plugin", echo]),
        (json!({"endpoints": {"echo_nothing": {}}}), &["--plugin", echo]),
        (budget(&json!({"slots": 3000})), &["--plugin", hostile, "--grant", "hostile:files"]),
    ] {
        let [checked, served] = both(&policy, arguments);
        assert_eq!(checked.one_line(1), served.one_line(1), "{arguments:?}");
    }
}
