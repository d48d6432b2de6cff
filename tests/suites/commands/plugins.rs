//! Commands that a plugin serves.

use serde_json::json;

use crate::harness::Setup;
use crate::plugins::component::packed;

fn setup() -> Setup {
    Setup::new().plugin(packed("tools")).grant("tools:files")
}

#[test]
fn a_plugins_commands_are_listed_and_run() {
    let server = setup().start();
    assert_eq!(server.listed(), ["show", "size", "no json", "nothing", "burst"]);
    let listed = server.ask("/commands").ok();
    assert_eq!(listed["commands"][0]["description"], "What it is given.");
    assert_eq!(
        listed["commands"][0]["args"][4],
        json!({
            "name": "texts", "type": "string_array", "required": false, "default": "[\"a\"]", "description": "",
        })
    );
    let shown = server.run("show", &json!({"text": 5, "float": "inf", "flag": "no"})).ok();
    let expected = json!({"text": "5", "integer": 7, "float": null, "flag": false, "texts": ["a"]});
    assert_eq!(shown, json!({"result": expected}));
    assert_eq!(server.result("nothing"), json!(null));
    assert_eq!(server.ask("/tools").ok(), json!({"here": true}));
}

#[test]
fn its_faults_are_the_commands_errors() {
    let server = setup().start();
    let body = server.run("fail", &json!({})).failed_as(500, "Teapot");
    assert_eq!(body, json!({"error": "short and stout", "type": "Teapot", "endpoint": "run_command"}));
    server.run("no%20json", &json!({})).failed_as(500, "RuntimeError");
    server.run("burst", &json!({})).failed_as(500, "RuntimeError");
    // The group of the commands is none the worse.
    assert_eq!(server.result("nothing"), json!(null));
}

/// What a command does is judged by the rule of the endpoint that it names, and for whoever calls.
#[test]
fn it_works_under_its_endpoints_rule() {
    let setup = setup().policy(&json!({"endpoints": {"tools_look": {"paths": {"deny": ["*.key"]}}}}));
    let server = setup.start();
    std::fs::write(server.base().join("a.txt"), "four").unwrap();
    std::fs::write(server.base().join("a.key"), "key").unwrap();
    let size = |path| server.run("size", &json!({"path": path}));
    assert_eq!(size(server.base().join("a.txt")).ok()["result"], 4);
    for path in [server.base().join("a.key"), server.outside(), "/etc/passwd".into()] {
        size(path).failed_as(500, "PolicyDenied");
    }
}

#[test]
fn it_needs_its_scopes_and_those_of_its_endpoint() {
    let with = |scopes: &[&str]| {
        let scopes = scopes.iter().copied().chain(["commands:*"]).collect::<Vec<_>>();
        setup().policy(&json!({"auth": {"anonymous_scopes": scopes}})).start()
    };
    let server = with(&["tools:show"]);
    let body = server.run("show", &json!({"text": ""})).refused(403, "missing_scope");
    assert_eq!(body["scope"], "tools:look");
    // One that asks for none gets its group's.
    let server = with(&["tools:look"]);
    assert_eq!(server.run("nothing", &json!({})).refused(403, "missing_scope")["scope"], "tools:use");
    assert_eq!(server.listed(), [] as [&str; 0]);
    assert_eq!(with(&["tools:look", "tools:use"]).result("nothing"), json!(null));
}

#[test]
fn where_its_endpoint_is_off_there_is_no_such_command() {
    let server = setup().policy(&json!({"endpoints": {"tools_look": {"enabled": false}}})).start();
    server.run("nothing", &json!({})).failed_as(404, "ValueError");
    assert_eq!(server.listed(), [] as [&str; 0]);
}

#[test]
fn the_operators_commands_take_the_place_of_a_plugins() {
    let setup = setup()
        .python("from agent_sandbox.server import command\ncommand('show')(lambda: 'own')\ncommand('z')(lambda: 1)\n");
    let server = setup.start();
    assert_eq!(server.listed(), ["show", "size", "no json", "nothing", "burst", "z"]);
    assert_eq!(server.result("show"), "own");
}
