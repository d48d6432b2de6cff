//! `POST /commands/{name}`: the steps of a call, in their order (contract: commands §3).

use serde_json::json;

use crate::harness::{Setup, TOKEN, wait};

const COMMANDS: &str = r#"
from agent_sandbox.server import command

@command()
def add(a: int, b: int): return a + b

@command("hidden", hidden=True)
def hidden(): return "found"

@command("deploy", scopes=("deploy:now", "x"))
def deploy(target: int): return "deployed"

command("über all/ways %41+")(lambda: "odd")
command("slash/")(lambda: "slash")
"#;

#[test]
fn commands_are_found_by_their_exact_name() {
    let server = Setup::new().python(COMMANDS).start();
    assert_eq!(server.run("add", &json!({"a": 2, "b": 3})).ok(), json!({"result": 5}));
    assert_eq!(server.result("hidden"), "found");
    for name in ["nope", "Add", "ad", "add%20", "add%00"] {
        let body = server.run(name, &json!({"a": 1})).failed_as(404, "ValueError");
        assert!(body.get("code").is_none() && body["endpoint"] == "run_command", "{body}");
        assert!(!body["error"].as_str().unwrap().contains("hidden"), "{body}");
    }
}

#[test]
fn names_are_one_segment_percent_decoded() {
    let server = Setup::new().python(COMMANDS).start();
    for name in ["%C3%BCber%20all%2Fways%20%2541+", "über%20all%2fways%20%2541%2B"] {
        let request = server.request("POST", &format!("/commands/{name}")).body("{}");
        if name.is_ascii() {
            assert_eq!(server.call(&request).ok()["result"], "odd", "{name}");
        }
    }
    assert_eq!(server.run("%61dd", &json!({"a": 2, "b": 3})).ok()["result"], 5);
    // A raw slash at the end is none of the name's; an encoded one is.
    assert_eq!(server.run("add/", &json!({"a": 2, "b": 3})).ok()["result"], 5);
    assert_eq!(server.result("slash%2F"), "slash");
    server.run("slash", &json!({})).failed_as(404, "ValueError");
    for target in ["/commands/", "/commands/a/b", "/commands/add/x"] {
        let answer = server.post(target, &json!({}));
        let path = target.trim_end_matches('/');
        assert_eq!(answer.json(), json!({"error": format!("Not found: {path}"), "type": "ValueError"}), "{target}");
    }
}

#[test]
fn no_body_is_no_arguments_and_other_values_are_refused_before_the_lookup() {
    let server = Setup::new().python(COMMANDS).start();
    assert_eq!(server.call(&server.request("POST", "/commands/hidden")).ok()["result"], "found");
    for body in ["null", "[]", "0", "\"\"", "false", "[1]", "5", "NaN", "{\"a\":1e400}", "{\"a\":Infinity}", "{"] {
        let body = server.call(&server.request("POST", "/commands/nope").body(body)).failed_as(400, "ValueError");
        assert_eq!((&body["endpoint"], &body["code"]), (&json!("run_command"), &json!("bad_body")));
    }
}

#[test]
fn each_step_comes_before_the_next() {
    let policy = json!({"auth": {"tokens": [
        {"id": "some", "token_env": "SOME", "scopes": ["commands:run", "deploy:now"]},
        {"id": "all", "token_env": "ALL", "scopes": ["commands:run", "deploy:*", "x"]},
    ]}});
    let server = Setup::new().python(COMMANDS).policy(&policy).env("SOME", "some").env("ALL", "all").start();
    let call = |token: &str, name: &str, arguments| {
        let request = server.request("POST", &format!("/commands/{name}")).bearer(token);
        server.call(&request.json(&arguments))
    };
    // The lookup, then the scopes, then names, then values.
    call("some", "nope", json!({"q": 1})).failed_as(404, "ValueError");
    let body = call("some", "deploy", json!({"q": 1})).refused(403, "missing_scope");
    assert_eq!(
        (&body["scope"], &body["type"], &body["endpoint"]),
        (&json!("x"), &json!("PolicyDenied"), &json!("run_command"))
    );
    assert!(body.get("identity").is_none(), "{body}");
    let wrong = |arguments, kind| {
        let body = call("all", "deploy", arguments).failed_as(400, kind);
        assert!(body.get("code").is_none(), "{body}");
    };
    wrong(json!({"q": 1, "target": "x"}), "ValueError");
    wrong(json!({"target": "x"}), "TypeError");
    wrong(json!({}), "ValueError");
    assert_eq!(call("all", "deploy", json!({"target": "5"})).ok()["result"], "deployed");
    let body = server.call(&server.request("POST", "/commands/add").bearer("nobody")).refused(401, "unauthorized");
    assert_eq!(body["endpoint"], "run_command");
}

#[test]
fn the_endpoints_own_scope_is_asked_first() {
    let policy = json!({"auth": {"anonymous_scopes": ["commands:list"]}});
    let server = Setup::new().python(COMMANDS).policy(&policy).start();
    let body = server.run("add", &json!({})).refused(403, "missing_scope");
    assert_eq!((&body["scope"], &body["identity"]), (&json!("commands:run"), &json!("anonymous")));
}

#[test]
fn a_call_is_audited_like_any_other() {
    let server = Setup::new().python(COMMANDS).with_token().policy(&json!({"defaults": {"audit": "all"}})).start();
    server.run("add", &json!({"a": 1, "b": 2})).ok();
    // Looks at `/health` while it started are in the log as well.
    let line = wait::until("the call is audited", || {
        server.log.audit(1).into_iter().find(|line| line["endpoint"] == "run_command")
    });
    assert_eq!(line["status"], 200);
    assert!(!server.log.text().contains(TOKEN));
}
