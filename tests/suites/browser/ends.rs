use serde_json::json;

use crate::harness::processes::look;
use crate::harness::{Server, wait};
use crate::stage::{Stage, setup};

/// Every call that needs a page answers 503, each time; the console is empty.
#[track_caller]
fn has_no_browser(server: &Server) {
    for _ in 0..2 {
        for (name, body) in [
            ("navigate", json!({"url": "http://site.test/"})),
            ("screenshot", json!({})),
            ("click", json!({"selector": "a"})),
            ("type", json!({"selector": "a", "text": ""})),
            ("evaluate", json!({"script": "1"})),
            ("pdf", json!({})),
        ] {
            let failed = server.post(&format!("/browser/{name}"), &body).failed_as(503, "RuntimeError");
            assert!(failed.get("code").is_none(), "{failed}");
        }
        server.call(&server.request("GET", "/browser/content")).failed_as(503, "RuntimeError");
    }
    assert_eq!(server.call(&server.request("GET", "/browser/console")).ok(), json!({"logs": []}));
}

#[test]
fn a_server_without_a_browser_says_so() {
    for (name, program) in [("missing", "/usr/nonexistent/chromium"), ("none", "/bin/true"), ("ends", "/bin/false")] {
        let server = setup().env("ABX_BROWSER_BIN", program).start();
        has_no_browser(&server);
        assert_eq!(server.call(&server.request("GET", "/health")).status, 200, "{name}");
    }
    let server = setup().env("ABX_BROWSER_BIN", "").env("PATH", "/usr/nonexistent").start();
    has_no_browser(&server);
}

#[test]
fn nothing_is_left_when_the_server_has_stopped() {
    let stage = Stage::new();
    assert!(stage.tree().is_empty() && stage.profiles().is_empty(), "nothing is started before the first call");
    stage.show("here");
    let (tree, profiles) = (stage.tree(), stage.profiles());
    assert!(tree.len() > 3 && profiles.len() == 1, "{tree:#?}");
    let log = stage.server.stop();
    assert!(!log.iter().any(|line| line.contains("can't be removed")), "{log:#?}");
    for process in tree {
        wait::until_true("it is gone", || look(process.pid).is_none_or(|now| now.session != process.session));
    }
    assert!(!profiles[0].exists());
}

#[test]
fn the_server_stops_also_while_a_page_is_busy() {
    let stage = Stage::new();
    stage.show("here");
    let mut connection = stage.server.connect();
    let body = json!({"script": "while (true);", "timeout": 600_000});
    connection.send(stage.server.request("POST", "/browser/evaluate").json(&body).bytes());
    let profiles = stage.profiles();
    stage.server.stop();
    assert!(!profiles[0].exists());
}

#[test]
fn a_browser_gets_none_of_the_servers_secrets() {
    let stage = Stage::of(setup().with_token().env("OTHER", "visible-to-children").env("LD_AUDIT_NOTHING", "x"));
    stage.show("here");
    for process in stage.tree() {
        let environment = std::fs::read(format!("/proc/{}/environ", process.pid)).unwrap_or_default();
        let environment = String::from_utf8_lossy(&environment).into_owned();
        assert!(!environment.contains("ABX_SERVER_TOKEN") && !environment.contains("OTHER="), "{environment}");
    }
}
