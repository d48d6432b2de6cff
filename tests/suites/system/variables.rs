//! The environment that children begin with (contract: system, guards §4).

use serde_json::{Value, json};

use super::facts::get;
use crate::harness::{Server, Setup, TOKEN};

fn set(server: &Server, variables: &Value) -> crate::harness::Answer {
    server.post("/env", &json!({ "vars": variables }))
}

fn shown(server: &Server, filter: &str) -> Value {
    get(server, &format!("/env?filter={filter}"))["variables"].clone()
}

#[test]
fn what_is_set_is_shown_and_reaches_children() {
    let server = Setup::new().start();
    let updated = set(&server, &json!({"ABXD_B": "1", "ABXD_A": "2", "ABXD_EMPTY": ""}));
    assert_eq!(updated.ok(), json!({"updated": ["ABXD_A", "ABXD_B", "ABXD_EMPTY"]}));
    assert_eq!(shown(&server, "ABXD_B,ABXD_A,ABXD_EMPTY"), json!({"ABXD_B": "1", "ABXD_A": "2", "ABXD_EMPTY": ""}));
    let command = json!({"command": "sh -c 'echo $ABXD_A-$ABXD_EMPTY-$ABXD_B'"});
    assert_eq!(server.post("/shell", &command).ok()["stdout"], "2--1\n");
    set(&server, &json!({"ABXD_A": "3"})).ok();
    assert_eq!(server.post("/shell", &command).ok()["stdout"], "3--1\n");
}

/// A variable keeps its place, and new ones come last.
#[test]
fn the_order_is_kept() {
    let server = Setup::new().env("ABXD_ONE", "1").env("ABXD_TWO", "2").start();
    let names = |server: &Server| -> Vec<String> {
        let text = server.call(&server.request("GET", "/env")).text();
        let at = |name: &str| text.find(&format!("\"{name}\":")).unwrap();
        let mut names = vec!["ABXD_ONE", "ABXD_TWO", "ABXD_NEW", "PATH"];
        names.retain(|name| text.contains(&format!("\"{name}\":")));
        names.sort_by_key(|name| at(name));
        names.into_iter().map(str::to_owned).collect()
    };
    let before = names(&server);
    set(&server, &json!({"ABXD_NEW": "3", "ABXD_ONE": "4"})).ok();
    assert_eq!(names(&server), [before, vec!["ABXD_NEW".to_owned()]].concat());
}

#[test]
fn names_and_values_that_are_none_are_refused_and_nothing_is_set() {
    let server = Setup::new().start();
    for variables in [
        json!({"ABXD_OK": "1", "1A": "x"}),
        json!({"ABXD_OK": "1", "A-B": "x"}),
        json!({"ABXD_OK": "1", "": "x"}),
        json!({"ABXD_OK": "1", "A": 1}),
        json!({"ABXD_OK": "1", "A": null}),
        json!({"ABXD_OK": "1", "A": "x\u{0}"}),
        json!(["ABXD_OK"]),
        json!("ABXD_OK=1"),
        json!(null),
    ] {
        set(&server, &variables).refused(400, "env_invalid");
    }
    let surrogate = server.request("POST", "/env").header("Content-Type", "application/json");
    server.call(&surrogate.body(r#"{"vars":{"ABXD_OK":"1","A":"\ud800"}}"#)).refused(400, "env_invalid");
    for (variables, code) in [
        (json!({"ABXD_OK": "1", "ABX_Q": "x"}), "env_var_denied"),
        (json!({"ABXD_OK": "1", "abx_server_token": "x"}), "env_var_denied"),
        (json!({"PATH": "x", "ABX_Q": "1"}), "env_var_denied"),
    ] {
        assert_eq!(set(&server, &variables).refused(403, code)["type"], "PolicyDenied");
    }
    for name in ["PATH", "HOME", "USER", "SHELL"] {
        set(&server, &json!({"ABXD_OK": "1", name: "x"})).failed_as(403, "PermissionError");
    }
    assert_eq!(shown(&server, "ABXD_OK"), json!({}));
    for body in [json!({}), json!({"vars": {}}), json!({"other": 1})] {
        assert_eq!(server.post("/env", &body).ok(), json!({"updated": []}));
    }
    assert_eq!(set(&server, &json!({"path": "fine"})).ok(), json!({"updated": ["path"]}));
}

#[test]
fn rules_of_both_endpoints_are_their_own() {
    let policy = json!({"endpoints": {
        "env_set": {"params": {"allow_vars": ["A*", "PATH"], "deny_vars": ["AB*"]}},
        "env_get": {"params": {"deny_vars": ["*_HIDDEN"]}},
    }});
    let server = Setup::new().policy(&policy).start();
    set(&server, &json!({"A2": "1", "A_HIDDEN": "1"})).ok();
    for name in ["ABZ", "C", "a2"] {
        set(&server, &json!({"A3": "1", name: "x"})).refused(403, "env_var_not_allowed");
    }
    set(&server, &json!({"PATH": "x"})).failed_as(403, "PermissionError");
    assert_eq!(shown(&server, "A2,A3,A_HIDDEN"), json!({"A2": "1"}));
}

/// Loader variables reach children as the caller wants it: what they may run is for other rules to say.
#[test]
fn loader_variables_are_accepted() {
    let server = Setup::new().start();
    let names = json!({"LD_PRELOAD": "", "PYTHONPATH": "/x", "BASH_ENV": "", "MY_TOKEN": "t"});
    assert_eq!(set(&server, &names).ok(), json!({"updated": ["BASH_ENV", "LD_PRELOAD", "MY_TOKEN", "PYTHONPATH"]}));
    let shell = server.post("/shell", &json!({"command": "sh -c 'echo $PYTHONPATH $MY_TOKEN'"}));
    assert_eq!(shell.ok()["stdout"], "/x t\n");
    assert_eq!(shown(&server, "PYTHONPATH,MY_TOKEN,LD_PRELOAD"), json!({"PYTHONPATH": "/x", "LD_PRELOAD": ""}));
}

#[test]
fn secrets_are_never_shown_and_never_set() {
    let policy = json!({"auth": {"tokens": [
        {"id": "a", "token_env": "MY_PLAIN_NAME", "scopes": ["*"]},
        {"id": "b", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
    ]}});
    let setup = Setup::new().env("MY_PLAIN_NAME", "hush-hush").env("ABX_SERVER_OTHER", "own").env("ABX_PTY_PORT", "0");
    let server = setup.env("My_Api_Key", "k").env("KEYBOARD", "kb").policy(&policy).with_token().start();
    let all = server.call(&server.request("GET", "/env"));
    let variables = all.ok()["variables"].clone();
    for name in ["MY_PLAIN_NAME", "ABX_SERVER_TOKEN", "ABX_SERVER_POLICY", "ABX_SERVER_OTHER", "My_Api_Key", "KEYBOARD"]
    {
        assert!(variables.get(name).is_none(), "{name}");
        assert_eq!(shown(&server, name), json!({}), "{name}");
    }
    assert_eq!(variables["ABX_PTY_PORT"], "0");
    assert!(!all.text().contains("hush-hush") && !all.text().contains(TOKEN));
    set(&server, &json!({"MY_PLAIN_NAME": "x"})).refused(403, "env_var_not_allowed");
}

#[test]
fn more_than_an_environment_holds_is_refused() {
    let server = Setup::new().start();
    let long = "x".repeat(131_072);
    assert_eq!(set(&server, &json!({"ABXD_LONG": long})).failed_as(400, "ValueError").get("code"), None);
    let many: serde_json::Map<_, _> = (0..5000).map(|number| (format!("ABXD_{number}"), json!(""))).collect();
    set(&server, &many.into()).failed_as(400, "ValueError");
    let shell = server.post("/shell", &json!({"command": "true"}));
    assert_eq!(shell.ok()["exit_code"], 0, "children start all the same");
}

#[test]
fn filters_are_exact_names() {
    let server = Setup::new().env("ABXD_X", "1").start();
    assert_eq!(shown(&server, "%20ABXD_X%20,,"), json!({"ABXD_X": "1"}));
    for filter in [",", "%20%20", "ABXD_*", "abxd_x"] {
        assert_eq!(shown(&server, filter), json!({}), "{filter}");
    }
    assert_eq!(shown(&server, "")["ABXD_X"], "1", "a blank filter is none");
    server.call(&server.request("GET", "/env?filter=A&filter=B")).refused(400, "duplicate_parameter");
}
