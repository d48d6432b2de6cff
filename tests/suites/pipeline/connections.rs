//! Connections: what stays open, what an early answer does to a body (contract: pipeline §2).

use serde_json::json;

use crate::harness::{Request, Server, Setup, TOKEN};

/// Twelve times the 1 MiB that a server discards, and over the body limit.
const LONG: usize = 12 << 20;

/// A client that sends all of its body before it reads gets the answer, not a reset.
#[test]
fn a_client_that_writes_first_gets_its_answer() {
    let server = Setup::new().with_token().policy(&json!({"endpoints": {"files_move": {"enabled": false}}})).start();
    let base = server.base();
    let path = base.join("x");
    let raw = |token: &str| {
        let request = Request::new("POST", "/upload").bearer(token).query("path", path.to_str().unwrap());
        request.header("Content-Type", "application/octet-stream")
    };
    let post = |target: &str| Request::new("POST", target).bearer(TOKEN);
    for (request, status) in [
        (raw(TOKEN), 413),
        (raw("wrong"), 401),
        (post("/files/mkdir"), 413),
        (post("/files/mkdir?a=1&a=1"), 400),
        (post("/files/move"), 404),
        (post("/nowhere"), 404),
        (Request::new("PATCH", "/health"), 404),
        (Request::new("POST", "/v1/agents/sessions").bearer("wrong"), 401),
    ] {
        let mut connection = server.connect();
        connection.send(request.clone().body(vec![b'x'; LONG]).bytes());
        assert_eq!(connection.answer().status, status, "{request:?}");
    }
    assert!(!path.exists());
}

/// The same from the handler's side: a guard refuses before the body of a raw upload is read.
#[test]
fn a_refused_upload_is_answered_before_its_body() {
    let policy = json!({"endpoints": {"files_*": {
        "limits": {"max_request_bytes": "64MiB", "max_bytes": "20MiB"},
        "params": {"deny_extensions": [".exe"]},
    }}});
    let server = Setup::new().policy(&policy).start();
    let raw = |path: &std::path::Path| {
        let request = server.request("POST", "/upload").query("path", path.to_str().unwrap());
        request.header("Content-Type", "application/octet-stream")
    };
    for (path, code) in [
        (server.outside().join("x"), "path_not_allowed"),
        (server.base().join("x.exe"), "extension_not_allowed"),
        ("/proc/x".into(), "path_not_allowed"),
    ] {
        // Nothing of the body has been sent when the answer is there.
        let mut connection = server.connect();
        connection.send(raw(&path).header("Content-Length", LONG.to_string()).head());
        connection.answer().refused(403, code);
        // And everything of it has been.
        let mut connection = server.connect();
        connection.send(raw(&path).body(vec![b'x'; LONG]).bytes());
        connection.answer().refused(403, code);
        assert!(!path.exists());
    }
    // The file's limit, from the length.
    let mut connection = server.connect();
    connection.send(raw(&server.base().join("x")).header("Content-Length", (30 << 20).to_string()).head());
    assert_eq!(connection.answer().refused(413, "payload_too_large")["limit"], 20 << 20);
}

/// After every error answer the connection goes on, as long as the body could be discarded.
#[test]
fn a_connection_goes_on_after_errors() {
    let policy = json!({"endpoints": {
        "files_list": {"enabled": false},
        "files_stat": {"limits": {"rate_per_minute": 1}},
        "files_mkdir": {"limits": {"max_request_bytes": 1000}},
    }});
    let server = Setup::new().with_token().policy(&policy).start();
    let mut connection = server.connect();
    let post = |target: &str| server.request("POST", target);
    for _ in 0..3 {
        for (request, statuses) in [
            (server.request("GET", "/nowhere"), &[404][..]),
            (post("/nowhere").body("a body"), &[404]),
            (server.request("PATCH", "/health").body("a body"), &[404]),
            (post("/files/mkdir").bearer("wrong").body("{}"), &[401]),
            (server.request("GET", "/files/list"), &[404]),
            (post("/files/mkdir?a=1&a=1").body("{}"), &[400]),
            (post("/files/mkdir").body(vec![b' '; 100_000]), &[413]),
            (post("/files/mkdir").body("{"), &[400]),
            (post("/files/mkdir").body("{}"), &[400]),
            (post("/files/mkdir").json(&json!({"path": "/etc/x"})), &[403]),
            (server.request("GET", "/files/stat").query("path", "/etc"), &[403, 429]),
            (server.request("GET", "/download").query("path", server.base().join("none").to_str().unwrap()), &[404]),
            (server.request("GET", "/health"), &[200]),
        ] {
            let answer = connection.call(&request);
            assert!(statuses.contains(&answer.status), "{request:?}: {answer:?}");
            assert_eq!(answer.version, "HTTP/1.1");
            assert_eq!(answer.header("connection"), None, "{request:?}: {answer:?}");
        }
    }
}

/// Requests sent in one go are answered in their order.
#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = Setup::new().start();
    let mut bytes = Vec::new();
    for number in 0..50 {
        bytes.extend(server.request("GET", &format!("/{number}")).bytes());
        bytes.extend(server.request("POST", &format!("/{number}")).body("{\"GET\": 1}").bytes());
        bytes.extend(server.request("GET", "/health").bytes());
    }
    let mut connection = server.connect();
    connection.send(bytes);
    for number in 0..50 {
        for _ in 0..2 {
            assert_eq!(connection.answer().json()["error"], format!("Not found: /{number}"));
        }
        connection.answer().ok();
    }
}

/// HTTP/1.0, and a client that asks for it: one answer, then the end.
#[test]
fn a_connection_ends_where_the_client_says_so() {
    let server = Setup::new().start();
    for head in ["GET /health HTTP/1.0\r\n\r\n", "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n"] {
        let mut connection = server.connect();
        connection.send(head);
        connection.answer().ok();
        connection.is_closed();
    }
}

/// The interim answer comes when the body is about to be read, and not before (decision D7).
#[test]
fn a_client_that_asks_first_is_told_in_time() {
    let server = Setup::new().with_token().start();
    let asking = |server: &Server, target: &str, token: &str, length: usize| {
        let request = Request::new("POST", target).bearer(token).header("Content-Type", "application/octet-stream");
        let mut connection = server.connect();
        connection.send(request.header("Expect", "100-continue").header("Content-Length", length.to_string()).head());
        connection
    };
    let inside = format!("/upload?path={}", server.base().join("x").display());
    let outside = format!("/upload?path={}", server.outside().join("x").display());
    for (target, token, length, status) in [
        (&*inside, "wrong", 5, 401),
        (&inside, TOKEN, LONG, 413),
        (&outside, TOKEN, 5, 403),
        ("/code/run", TOKEN, 5, 404),
        ("/nowhere", TOKEN, 5, 404),
        ("/files/mkdir?a=1&a=1", TOKEN, 5, 400),
    ] {
        let mut connection = asking(&server, target, token, length);
        assert_eq!(connection.head().status, status, "{target}: no interim answer");
    }
    let mut connection = asking(&server, &inside, TOKEN, 5);
    assert_eq!(connection.head().status, 100);
    connection.send("hello");
    assert_eq!(connection.answer().ok()["bytes"], 5);
    let mut connection = asking(&server, "/files/mkdir", TOKEN, 2);
    assert_eq!(connection.head().status, 100);
    connection.send("{}");
    connection.answer().refused(400, "invalid_path");
}
