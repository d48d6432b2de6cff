//! What never gets into a log or an answer (contract: pipeline §9; what must never happen: a token in either).

use serde_json::{Value, json};

use crate::harness::{Request, Server, Setup};

/// Tokens, right and wrong ones.
const TOKENS: [&str; 4] = ["t0ken-of-all", "t0ken-of-none", "t0ken-unknown", "t0ken-in-query"];

/// What requests carry besides.
const CONTENTS: [&str; 5] =
    ["c0ntent-of-header", "c0ntent-of-query", "c0ntent-of-body", "c0ntent-of-file", "c0ntent-target"];

fn server(level: &str, audit: &str) -> Server {
    let policy = json!({
        "auth": {"tokens": [
            {"id": "all", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
            {"id": "none", "token_env": "NONE", "scopes": []},
        ]},
        "defaults": {"audit": audit},
        "description": "c0ntent-of-policy",
    });
    let setup = Setup::new().policy(&policy).env("ABX_SERVER_TOKEN", TOKENS[0]).env("NONE", TOKENS[1]);
    setup.arg("--log").arg(level).start()
}

/// Requests of every outcome, with secrets in every part of them; every answer.
fn provoke(server: &Server) -> Vec<String> {
    let file = server.base().join("file");
    let path = file.to_str().unwrap();
    let mut answers = Vec::new();
    for token in TOKENS {
        let dress = |request: Request| {
            let request = request.bearer(token).header("Cookie", CONTENTS[0]).header("X-Other", CONTENTS[0]);
            request.header("User-Agent", CONTENTS[0])
        };
        for request in [
            Request::new("GET", "/health"),
            Request::new("GET", &format!("/{}", CONTENTS[4])),
            Request::new("GET", &format!("/files/stat?token={}&x={}", TOKENS[3], CONTENTS[1])),
            Request::new("GET", &format!("/files/stat?path=/{}", CONTENTS[1])),
            Request::new("GET", &format!("/files/stat?a={0}&a={0}", CONTENTS[1])),
            Request::new("GET", "/files/stat").header("X-Access-Token", TOKENS[2]).header("X-Access-Token", token),
            Request::new("POST", "/files/mkdir").body(format!("{{\"path\": \"{}", CONTENTS[2])),
            Request::new("POST", "/files/mkdir").json(&json!({"path": [CONTENTS[2]]})),
            Request::new("POST", "/files/upload-stream").json(&json!({"path": path, "content_base64": CONTENTS[3]})),
            Request::new("POST", "/upload").query("path", path).body(CONTENTS[3]),
            Request::new("POST", "/shell").json(&json!({"command": CONTENTS[2]})),
            Request::new("GET", "/capabilities"),
            Request::new("POST", "/capabilities/check").json(&json!({"endpoint": "shell", "path": CONTENTS[2]})),
        ] {
            answers.push(server.call(&dress(request)).text());
        }
        // Heads that never become requests.
        for head in ["GET /health HTTP/9.9", "GET\x01 /health HTTP/1.1", "GET /health HTTP/1.1\r\nno colon"] {
            let mut connection = server.connect();
            connection.send(format!("{head}\r\nAuthorization: Bearer {token}\r\n\r\n"));
            answers.push(String::from_utf8_lossy(&connection.rest_of_any_end().0).into_owned());
        }
    }
    answers
}

#[test]
fn credentials_are_in_no_log_and_no_answer() {
    for (level, audit) in [("info", "deny"), ("info", "all"), ("debug", "all"), ("trace", "all")] {
        let server = server(level, audit);
        let answers = provoke(&server);
        let log = server.stop();
        assert!(log.iter().any(|line| line.starts_with('{')), "no audit line at all");
        for token in TOKENS {
            assert!(answers.iter().all(|answer| !answer.contains(token)), "{level}: {token} is in an answer");
            assert!(log.iter().all(|line| !line.contains(token)), "{level}: {token} is in the log: {log:#?}");
        }
    }
}

/// At the default level a log has nothing of a request but its audit line, which has the path that was let through.
#[test]
fn nothing_of_a_request_is_logged() {
    let server = server("info", "all");
    provoke(&server);
    let log = server.stop();
    for content in CONTENTS {
        assert!(log.iter().all(|line| !line.contains(content)), "{content} is in the log: {log:#?}");
    }
    assert!(log.iter().all(|line| !line.contains("c0ntent-of-policy")));
}

/// Answers name no path of the server's own and no trace of its code.
#[test]
fn answers_say_nothing_of_the_servers_inside() {
    let server = server("info", "all");
    let home = server.place("home");
    for answer in provoke(&server) {
        for inside in ["panicked", ".rs:", "wasm", "builtin", "abxd-plugins", home.to_str().unwrap()] {
            assert!(!answer.contains(inside), "{inside}: {answer}");
        }
    }
}

/// Who may not use an endpoint learns nothing of its rule but that.
#[test]
fn denied_patterns_are_not_disclosed() {
    let policy = json!({"endpoints": {"files_*": {"paths": {"deny": ["**/hidden-pattern"]}}}});
    let server = Setup::new().policy(&policy).start();
    let document: Value = server.call(&Request::new("GET", "/capabilities")).ok();
    assert_eq!(document["endpoints"]["files_stat"]["paths"]["deny_count"], 1);
    assert!(!document.to_string().contains("hidden-pattern"));
    let path = server.base().join("hidden-pattern");
    let answer = server.get("/files/stat", &path).refused(403, "path_denied");
    assert!(!answer.to_string().contains("**"), "{answer}");
}
