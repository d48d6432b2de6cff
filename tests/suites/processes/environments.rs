//! What children get of the server's environment (contract: process §1.5, decision D43).

use serde_json::{Value, json};

use crate::harness::{Server, Setup, TOKEN};

fn environment(server: &Server, body: &Value) -> Vec<String> {
    let mut body = body.clone();
    body["command"] = json!("env");
    let text = server.post("/shell", &body).ok()["stdout"].as_str().unwrap().to_owned();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn variables_are_laid_over_the_servers() {
    let server = Setup::new().env("KEPT", "kept").env("CHANGED", "old").start();
    let found = environment(&server, &json!({"env": {"NEW": "a b\u{e9}", "CHANGED": "new", "EMPTY": ""}}));
    for line in ["KEPT=kept", "CHANGED=new", "NEW=a b\u{e9}", "EMPTY="] {
        assert!(found.iter().any(|found| found == line), "{line}: {found:#?}");
    }
    assert!(!found.iter().any(|found| found == "CHANGED=old"));
    // Of one request, not of the server.
    assert!(!environment(&server, &json!({})).iter().any(|line| line.starts_with("NEW=")));
}

/// With tokens, what holds them or the policy is gone; the server's other variables stay.
#[test]
fn secrets_are_not_inherited() {
    let policy = json!({"auth": {"tokens": [
        {"id": "a", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
        {"id": "b", "token_env": "OTHER_TOKEN", "scopes": []},
    ]}});
    let server =
        Setup::new().with_token().env("OTHER_TOKEN", "other-secret").env("MY_TOKEN", "mine").policy(&policy).start();
    let found = environment(&server, &json!({}));
    let has = |name: &str| found.iter().any(|line| line.starts_with(&format!("{name}=")));
    for name in ["ABX_SERVER_TOKEN", "ABX_SERVER_POLICY", "OTHER_TOKEN"] {
        assert!(!has(name), "{name}: {found:#?}");
    }
    for name in ["ABX_SERVER_BASE_DIR", "MY_TOKEN", "PATH", "HOME"] {
        assert!(has(name), "{name}: {found:#?}");
    }
    let text = found.join("\n");
    assert!(!text.contains(TOKEN) && !text.contains("other-secret"));
}

/// Not by looking at the server either.
#[test]
fn secrets_are_not_in_the_servers_own_block() {
    let server = Setup::new().with_token().start();
    let command = format!("cat /proc/{}/environ", server.pid());
    let answer = server.shell(&command).ok();
    assert!(!answer["stdout"].as_str().unwrap().contains(TOKEN), "{answer}");
}

/// Without tokens there is nothing to keep from children.
#[test]
fn an_open_server_hides_nothing() {
    let server = Setup::new().policy(&json!({"version": 1})).start();
    let found = environment(&server, &json!({}));
    assert!(found.iter().any(|line| line.starts_with("ABX_SERVER_POLICY=")), "{found:#?}");
}
