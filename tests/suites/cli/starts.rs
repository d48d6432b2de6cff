//! Starts that fail: exit code 1 and one line, before anything listens.

use std::fs;
use std::net::TcpListener;

use serde_json::json;

use crate::harness::{Connection, Setup};

/// The line of a start that fails; warnings about the policy may come before it.
#[track_caller]
fn line(setup: &Setup) -> String {
    let outcome = setup.clone().arg("--log").arg("error").run();
    outcome.one_line(1).to_owned()
}

#[test]
fn a_policy_file_that_cannot_be_used_is_named() {
    let setup = Setup::new();
    for (name, content) in [
        ("none.json", None),
        ("broken.json", Some(&b"{"[..])),
        ("empty.json", Some(b"")),
        ("list.json", Some(b"[]")),
        ("bytes.json", Some(b"{\"description\": \"\xff\"}")),
        ("repeated.json", Some(b"{\"version\": 1, \"version\": 1}")),
        ("python.json", Some(b"{'version': 1}")),
        ("broken.yaml", Some(b"version: [")),
        ("yaml.json", Some(b"version: 1")),
    ] {
        let file = setup.place(name);
        if let Some(content) = content {
            fs::write(&file, content).unwrap();
        }
        for setup in [
            setup.clone().arg("--policy").arg(&file),
            setup.clone().env("ABX_SERVER_POLICY_FILE", &file),
            setup.clone().arg("--policy").arg(&file).arg("--preset").arg("locked"),
        ] {
            let line = line(&setup);
            assert!(line.contains(file.to_str().unwrap()), "{name}: {line}");
        }
    }
    let line = line(&setup.clone().arg("--policy").arg(setup.base()));
    assert!(line.contains(setup.base().to_str().unwrap()), "{line}");
}

/// The inline document is named by its variable, and not shown: it may hold what logs must not.
#[test]
fn an_inline_policy_is_named_by_its_variable() {
    for document in ["{", "[]", "nonsense-s3cret", "{\"s3cret\": 1}"] {
        let line = line(&Setup::new().env("ABX_SERVER_POLICY", document));
        assert!(line.contains("ABX_SERVER_POLICY"), "{line}");
    }
}

#[test]
fn a_preset_that_does_not_exist_names_those_that_do() {
    for setup in [
        Setup::new().arg("--preset").arg("lokced"),
        Setup::new().arg("--preset").arg("Locked"),
        Setup::new().arg("--preset").arg(""),
        Setup::new().policy(&json!({"preset": "lokced"})),
    ] {
        let line = line(&setup);
        assert!(line.contains("preset") && line.contains("locked"), "{line}");
    }
}

#[test]
fn an_unknown_group_in_the_environment_is_named() {
    for (groups, named) in
        [("dev_tool", "dev_tool"), ("process,,Agents", "Agents"), ("process agents", "process agents")]
    {
        let line = line(&Setup::new().env("ABX_SERVER_ENABLED_GROUPS", groups));
        assert!(line.contains(named) && line.contains("ABX_SERVER_ENABLED_GROUPS"), "{line}");
    }
    // Blanks and `core` are no error.
    Setup::new().env("ABX_SERVER_ENABLED_GROUPS", " dev_tools , core,, ").start();
}

/// A variable that a token names has to be there.
#[test]
fn a_token_without_its_variable_is_named() {
    let policy = json!({"auth": {"tokens": [{"id": "ci", "token_env": "MISSING", "scopes": ["*"]}]}});
    for setup in [Setup::new().policy(&policy), Setup::new().policy(&policy).env("MISSING", "")] {
        let line = line(&setup);
        assert!(line.contains("MISSING") && line.contains("ci"), "{line}");
    }
    Setup::new().policy(&policy).env("MISSING", "here").start();
}

/// A commands file that is not there is an error of its own.
#[test]
fn a_commands_file_that_is_missing_is_named() {
    let setup = Setup::new();
    let file = setup.place("commands.py");
    let outcome = setup.arg("--commands").arg(&file).run();
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stderr.contains(file.to_str().unwrap()), "{outcome:?}");
}

/// A port that is taken is said to be, whatever else is right; ports that are none are refused the same way.
#[test]
fn a_port_or_host_that_cannot_be_had_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let http = Setup::alone(&["serve", "--host", "127.0.0.1", "--port", &port]);
    let free = crate::harness::free_port().to_string();
    let pty = Setup::alone(&["serve", "--host", "127.0.0.1", "--port", &free, "--pty-port", &port]);
    for setup in [http, pty] {
        let line = line(&setup);
        assert!(line.contains(&port), "{line}");
    }
    assert!(Connection::try_open(free.parse().unwrap()).is_err(), "the HTTP port stays open");
    for arguments in [
        &["--port", "70000"][..],
        &["--port", "-1"],
        &["--port", &free, "--pty-port", "65536"],
        &["--port", &free, "--host", "256.256.256.256"],
        &["--port", &free, "--host", "no-such-host.invalid"],
        &["--port", &free, "--host", "192.0.2.1"],
    ] {
        let line = line(&Setup::alone(&[&["serve"], arguments].concat()));
        let named = arguments.last().unwrap();
        assert!(line.contains(named), "{named}: {line}");
    }
}

/// The terminal port is needed only where a terminal endpoint is on.
#[test]
fn a_taken_terminal_port_is_no_matter_without_terminals() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let http = crate::harness::free_port();
    let setup = Setup::alone(&["serve", "--host", "127.0.0.1", "--port", &http.to_string(), "--pty-port", &port]);
    let setup = setup.on_port(http).policy(&json!({"groups": {"terminal": false}}));
    setup.start();
}

/// The configuration is judged before a port is taken: of two faults it is the one that is named.
#[test]
fn the_policy_is_judged_before_the_port() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let setup = Setup::alone(&["serve", "--host", "127.0.0.1", "--port", &port]).policy(&json!({"nonsense": 1}));
    assert!(line(&setup).contains("nonsense"));
}

/// An audit file that can't be written is a start that fails, not a log that is lost.
#[test]
fn an_audit_file_that_cannot_be_opened_is_named() {
    let setup = Setup::new();
    let file = setup.place("no-folder/audit.log");
    let line = line(&setup.arg("--audit-file").arg(&file));
    assert!(line.contains(file.to_str().unwrap()), "{line}");
}
