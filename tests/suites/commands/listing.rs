//! `GET /commands` (contract: commands §2).

use serde_json::json;

use crate::harness::Setup;

const COMMANDS: &str = r#"
from agent_sandbox.server import CommandArg, command

@command("b", description="second letter")
def b(x: int, y: str = "z", z: list[str] = ["q"]): pass

@command("hidden", hidden=True)
def hidden(): pass

@command("a", scopes=("deploy", "files:read"))
def a(): pass

@command("é c", args=[CommandArg("n", "integer", default="N/A", description="any")])
def c(n): pass

command("b2")(lambda: 1)
command("b", description="again", args=[])(lambda: 2)
"#;

#[test]
fn without_commands_the_list_is_empty() {
    let server = Setup::new().start();
    assert_eq!(server.ask("/commands").ok(), json!({"commands": []}));
}

#[test]
fn what_is_visible_is_listed_in_the_order_of_registration() {
    let server = Setup::new().python(COMMANDS).start();
    assert_eq!(
        server.ask("/commands").ok(),
        json!({"commands": [
            {"name": "b", "args": [], "description": "again"},
            {"name": "a", "args": [], "description": ""},
            {"name": "é c", "description": "", "args": [
                {"name": "n", "type": "integer", "required": false, "default": "N/A", "description": "any"},
            ]},
            {"name": "b2", "args": [], "description": ""},
        ]})
    );
    assert!(server.log.text().contains("command `b` is registered twice: the later one counts"));
}

#[test]
fn commands_whose_scopes_the_caller_lacks_are_left_out() {
    let token = |id: &str, scopes: &[&str]| json!({"id": id, "token_env": id, "scopes": scopes});
    let policy = json!({"auth": {"tokens": [
        token("ALL", &["*"]),
        token("SOME", &["commands:*", "deploy"]),
        token("BOTH", &["commands:list", "deploy", "files:*"]),
        token("NONE", &["files:read"]),
    ]}});
    let setup = Setup::new().python(COMMANDS).policy(&policy);
    let setup = ["ALL", "SOME", "BOTH", "NONE"].iter().fold(setup, |setup, name| setup.env(name, name));
    let server = setup.start();
    let listed = |token: &str| {
        let answer = server.call(&server.request("GET", "/commands").bearer(token)).ok();
        let names = answer["commands"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(listed("ALL"), ["b", "a", "é c", "b2"]);
    assert_eq!(listed("SOME"), ["b", "é c", "b2"]);
    assert_eq!(listed("BOTH"), ["b", "a", "é c", "b2"]);
    server.call(&server.request("GET", "/commands").bearer("NONE")).refused(403, "missing_scope");
}
