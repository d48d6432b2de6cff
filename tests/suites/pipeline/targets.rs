//! Step 1: targets and methods (contract: pipeline §2, §3).

use serde_json::json;

use crate::harness::{Answer, Server, Setup};

fn raw(server: &Server, head: &str) -> Answer {
    let mut connection = server.connect();
    connection.send(format!("{head}\r\nHost: test\r\n\r\n"));
    connection.answer()
}

/// Targets that name `/health`, and targets that look as if they did.
#[test]
fn targets_become_paths_as_the_table_says() {
    let server = Setup::new().start();
    for target in [
        "/health",
        "/health/",
        "/health///",
        "//health",
        "///health//",
        "/health;x=1",
        "/health?",
        "/health?x=1",
        "/health#x",
        "http://any/health",
        "http://any:1/health?x=1",
    ] {
        assert_eq!(raw(&server, &format!("GET {target} HTTP/1.1")).status, 200, "{target}");
    }
    for (target, path) in [
        ("/", "/"),
        ("///", "/"),
        ("/?x=1", "/"),
        ("/Health", "/Health"),
        ("/h%65alth", "/h%65alth"),
        ("/files//list", "/files//list"),
        ("/files%2Flist", "/files%2Flist"),
        ("/health/x", "/health/x"),
        ("/./health", "/./health"),
        ("/nope/%41/?x=1", "/nope/%41"),
        ("/nope/../health", "/nope/../health"),
        ("http://any/nope", "/nope"),
    ] {
        let answer = raw(&server, &format!("GET {target} HTTP/1.1"));
        assert_eq!(answer.status, 404, "{target}: {answer:?}");
        assert_eq!(answer.json(), json!({"error": format!("Not found: {path}"), "type": "ValueError"}), "{target}");
    }
}

/// There is no other answer to a method than "no match": no 405, no 501, no `Allow` (decision D5).
#[test]
fn methods_that_no_endpoint_has_match_nothing() {
    let server = Setup::new().start();
    for method in ["OPTIONS", "PATCH", "TRACE", "PUT", "DELETE", "POST", "get", "Get", "BREW", "M-SEARCH", "PROPFIND"] {
        let answer = raw(&server, &format!("{method} /health HTTP/1.1"));
        assert_eq!(answer.status, 404, "{method}: {answer:?}");
        assert_eq!(answer.json(), json!({"error": "Not found: /health", "type": "ValueError"}), "{method}");
        assert_eq!(answer.header("allow"), None, "{method}");
    }
    // Targets that are no paths.
    for head in ["CONNECT any:80 HTTP/1.1", "OPTIONS * HTTP/1.1"] {
        let answer = raw(&server, head);
        assert!(matches!(answer.status, 404 | 400), "{head}: {answer:?}");
    }
}

/// `HEAD` is not served: the head of "no match", without its body, on a connection that stays in step.
#[test]
fn head_has_a_head_only() {
    let server = Setup::new().start();
    let mut connection = server.connect();
    for path in ["/health", "/download?path=x", "/nope"] {
        let head = connection.call(&server.request("HEAD", path));
        assert_eq!(head.status, 404);
        let same = connection.call(&server.request("PATCH", path));
        let length = |answer: &Answer| answer.header("content-length").map(str::to_owned);
        assert_eq!(length(&head), length(&same), "{path}");
        assert_eq!(head.header("content-type"), Some("application/json; charset=utf-8"));
    }
}

/// Nothing changes the method of a request but its method.
#[test]
fn a_method_is_not_overridden() {
    let server = Setup::new().start();
    let request = server.request("POST", "/health?_method=GET").header("X-HTTP-Method-Override", "GET");
    assert_eq!(server.call(&request.body("_method=GET")).status, 404);
}

/// A static path takes no method from a pattern, and gives none away (contract: pipeline §3, order).
#[test]
fn a_pattern_serves_the_methods_that_a_fixed_path_lacks() {
    let server = Setup::new()
        .env("ABX_SERVER_ENABLED_GROUPS", "agents")
        .policy(&json!({"endpoints": {
        "agents_*": {"scopes": ["nobody:has"]},
        "process_*": {"scopes": ["nobody:has"]},
    }, "auth": {"allow_anonymous": true, "anonymous_scopes": ["core:read"]}}))
        .start();
    for (method, path, endpoint) in [
        ("POST", "/v1/agents/runtimes", "agents_definitions_update"),
        ("DELETE", "/v1/agents/sessions", "agents_definitions_delete"),
        ("GET", "/v1/responses/input_tokens", "agents_responses_get"),
        ("GET", "/process/list", "process_list"),
        ("GET", "/process/1", "process_detail"),
    ] {
        let body = server.call(&server.request(method, path)).refused(403, "missing_scope");
        assert_eq!(body["endpoint"], endpoint, "{method} {path}");
    }
}

/// Heads that are no HTTP request are refused with the status of what is wrong, and the connection ends.
#[test]
fn malformed_heads_are_refused() {
    let server = Setup::new().start();
    let long = "x".repeat(70_000);
    let many = "X: y\r\n".repeat(101);
    for (head, statuses) in [
        (format!("GET /{long} HTTP/1.1\r\n\r\n"), &[414][..]),
        (format!("GET /health HTTP/1.1\r\nX: {long}\r\n\r\n"), &[431, 400]),
        (format!("GET /health HTTP/1.1\r\n{many}\r\n"), &[431, 400]),
        ("GET /health HTTP/2.0\r\n\r\n".to_owned(), &[505, 400]),
        ("GET /health HTP/1.1\r\n\r\n".to_owned(), &[400]),
        ("GET /health HTTP/1.1 x\r\n\r\n".to_owned(), &[400]),
        ("GET /health HTTP/1.1\r\nno colon\r\n\r\n".to_owned(), &[400]),
        ("GET /health HTTP/1.1\r\nName : x\r\n\r\n".to_owned(), &[400]),
        ("GET /health HTTP/1.1\r\nName: x\r\n folded\r\n\r\n".to_owned(), &[400]),
        ("GET http://[::1/health HTTP/1.1\r\n\r\n".to_owned(), &[400]),
        ("\0\u{1}\u{2}\r\n\r\n".to_owned(), &[400]),
    ] {
        let mut connection = server.connect();
        connection.send(&head);
        let shown = &head[..head.len().min(60)];
        let answer = connection.head();
        assert!(statuses.contains(&answer.status), "{shown:?}: {answer:?}");
        assert_eq!(answer.header("connection"), Some("close"), "{shown:?}");
        let (_, end) = connection.rest_of_any_end();
        end.unwrap_or_else(|cause| panic!("{shown:?}: {cause}"));
    }
    // `Host` may be missing.
    let mut connection = server.connect();
    connection.send("GET /health HTTP/1.1\r\n\r\n");
    assert_eq!(connection.answer().status, 200);
}
