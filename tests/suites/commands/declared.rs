//! Commands that a file declares, over the wire.

use serde_json::json;

use super::kit::is_alive;
use crate::harness::{Setup, wait};

const COMMANDS: &str = r#"
[[command]]
name = "greet"
description = "Greet somebody."
run = ["printf", "hello %s%s", "{name}", "{punctuation}"]
scopes = ["greet"]

[[command.args]]
name = "name"
required = true

[[command.args]]
name = "punctuation"
default = "!"

[[command]]
name = "status"
run = ["sh", "-c", "echo '{{\"ok\": [1, null]}}'"]
result = "json"
hidden = true

[[command]]
name = "broken"
run = ["sh", "-c", "echo 'no such thing' >&2; exit 2"]

[[command]]
name = "slow"
run = ["sh", "-c", "echo $$ > {mark}.new; mv {mark}.new {mark}; sleep 600"]

[[command.args]]
name = "mark"

[[command]]
name = "limited"
run = ["sleep", "600"]
timeout = 0.1

[[command]]
name = "large"
run = ["head", "-c", "3000000", "/dev/zero"]

[[command]]
name = "environment"
run = ["env"]
"#;

#[test]
fn programs_are_commands() {
    let setup = Setup::new();
    let file = setup.keep("tools.toml", COMMANDS);
    let server = setup.commands(file).start();
    assert_eq!(server.listed(), ["greet", "broken", "slow", "limited", "large", "environment"]);
    let greeted = server.run("greet", &json!({"name": "a b; $(id)"})).ok();
    assert_eq!(greeted, json!({"result": "hello a b; $(id)!"}));
    server.run("greet", &json!({"name": "a", "other": 1})).failed_as(400, "ValueError");
    assert_eq!(server.result("status"), json!({"ok": [1, null]}));
    let body = server.run("broken", &json!({})).failed_as(500, "CommandError");
    assert_eq!(body["error"], "no such thing");
    server.run("limited", &json!({})).failed_as(500, "TimeoutError");
    assert_eq!(server.result("large").as_str().unwrap().len(), 3_000_000);
}

#[test]
fn scopes_are_asked_of_the_caller() {
    let setup = Setup::new().policy(&json!({"auth": {"anonymous_scopes": ["commands:*"]}}));
    let file = setup.keep("tools.toml", COMMANDS);
    let server = setup.commands(file).start();
    let body = server.run("greet", &json!({"name": "a"})).refused(403, "missing_scope");
    assert_eq!(body["scope"], "greet");
    assert!(!server.listed().contains(&"greet".to_owned()));
}

#[test]
fn a_client_that_leaves_ends_the_program() {
    let setup = Setup::new();
    let file = setup.keep("tools.toml", COMMANDS);
    let mark = setup.place("mark");
    let server = setup.commands(file).start();
    let mut connection = server.connect();
    connection.send(server.request("POST", "/commands/slow").json(&json!({"mark": mark})).bytes());
    wait::until_true("it runs", || mark.exists());
    let pid = std::fs::read_to_string(&mark).unwrap().trim().parse().unwrap();
    assert!(is_alive(pid));
    drop(connection);
    wait::until_true("it ends", || !is_alive(pid));
}

#[test]
fn secrets_are_not_in_their_environment() {
    let setup = Setup::new().with_token();
    let file = setup.keep("tools.toml", COMMANDS);
    let server = setup.commands(file).start();
    let environment = server.result("environment");
    let environment = environment.as_str().unwrap();
    assert!(environment.contains("ABX_SERVER_BASE_DIR=") && !environment.contains("ABX_SERVER_TOKEN"));
}
