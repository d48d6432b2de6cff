//! Step 5: bodies (contract: pipeline §5).

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

/// The limit without a rule.
const LIMIT: usize = 10_485_760;

/// The native endpoint with a JSON body.
fn check(server: &Server, body: impl Into<Vec<u8>>) -> Answer {
    server.call(&server.request("POST", "/capabilities/check").body(body))
}

fn raw(server: &Server, headers: &str, body: &str) -> Answer {
    let mut connection = server.connect();
    connection.send(format!("POST /capabilities/check HTTP/1.1\r\nHost: test\r\n{headers}\r\n{body}"));
    connection.answer()
}

/// What is no JSON object is refused by every endpoint with a JSON body, never served and never dropped.
#[test]
fn bodies_that_are_not_objects_are_refused() {
    let server = Setup::new().env("ABX_SERVER_ENABLED_GROUPS", "agents").start();
    let deep = "[".repeat(100_000);
    let bodies: Vec<&[u8]> = vec![
        b"null",
        b"[]",
        b"[1]",
        b"0",
        b"5",
        b"\"\"",
        b"\"x\"",
        b"true",
        b"false",
        b" ",
        b"{",
        b"{\"a\":1}x",
        b"{\"a\":1}{\"a\":1}",
        b"{'a':1}",
        b"{\"a\":\"line\nbreak\"}",
        b"{\"a\":\"\xff\"}",
        b"{\"a\":NaN}",
        b"{\"a\":Infinity}",
        b"{\"a\":-Infinity}",
        b"{\"a\":1e400}",
        b"{\"a\":\"\\ud800\"}",
        b"\xff\xfe{\0}\0",
        deep.as_bytes(),
    ];
    for (method, target) in [
        ("POST", "/capabilities/check"),
        ("POST", "/files/mkdir"),
        ("DELETE", "/files?path=x"),
        ("POST", "/files/upload-stream"),
        ("POST", "/files/search"),
        ("POST", "/commands/x"),
        ("POST", "/shell"),
        ("POST", "/v1/agents/sessions"),
    ] {
        let mut connection = server.connect();
        for body in &bodies {
            let answer = connection.call(&server.request(method, target).body(*body));
            let shown = String::from_utf8_lossy(&body[..body.len().min(20)]);
            assert_eq!(answer.status, 400, "{target} {shown:?}: {answer:?}");
            assert_eq!((&answer.json()["type"], &answer.json()["code"]), (&json!("ValueError"), &json!("bad_body")));
        }
    }
}

#[test]
fn bodies_that_are_objects_are_read_as_the_table_says() {
    let server = Setup::new().start();
    let deep = format!(r#"{{"endpoint":"health","x":{}1{}}}"#, "[".repeat(120), "]".repeat(120));
    for body in [
        r#"{"endpoint":"health"}"#,
        "\u{feff}{\"endpoint\":\"health\"}",
        " {\"endpoint\" :\r\n\t\"health\" } ",
        r#"{"endpoint":5,"endpoint":"health"}"#,
        r#"{"unknown":[{}],"endpoint":"health"}"#,
        r#"{"endpoint":"heal\u0074h"}"#,
        r#"{"endpoint":"health","x":123456789012345678901234567890}"#,
        &deep,
    ] {
        assert_eq!(check(&server, body).ok()["endpoint"], "health", "{body}");
    }
    // Nothing of what describes a body is looked at.
    for (name, value) in [
        ("Content-Type", "text/plain"),
        ("Content-Type", "application/json; charset=utf-16"),
        ("Content-Type", "multipart/form-data; boundary=x"),
        ("Content-Encoding", "gzip"),
    ] {
        let request = server.request("POST", "/capabilities/check").header(name, value);
        server.call(&request.body(r#"{"endpoint":"health"}"#)).ok();
    }
}

/// What `Content-Length` may be.
#[test]
fn lengths_are_read_as_the_table_says() {
    let server = Setup::new().start();
    let body = r#"{"endpoint":"health"}"#;
    for headers in ["Content-Length: 21\r\n", "Content-Length: 021\r\n", "Content-Length: 21\r\nContent-Length: 21\r\n"]
    {
        raw(&server, headers, body).ok();
    }
    for length in ["abc", "-1", "+21", "21.0", "21, 21", "0x15", "21 21", "", "\u{b2}"] {
        let answer = raw(&server, &format!("Content-Length: {length}\r\n"), body);
        assert_eq!(answer.status, 400, "{length:?}: {answer:?}");
    }
    for headers in ["Content-Length: 21\r\nContent-Length: 021\r\n", "Content-Length: 21\r\nContent-Length: 20\r\n"] {
        assert_eq!(raw(&server, headers, body).status, 400, "{headers:?}");
    }
    let answer = raw(&server, &format!("Content-Length: {}\r\n", "9".repeat(5000)), body);
    assert!(matches!(answer.status, 400 | 413), "{answer:?}");
    // No body is the empty object.
    for headers in ["", "Content-Length: 0\r\n"] {
        let body = raw(&server, headers, "").failed_as(400, "ValueError");
        assert_eq!(body.get("code"), None, "the handler's own error: {body}");
    }
    // Only the declared part is a body.
    raw(&server, "Connection: close\r\nContent-Length: 21\r\n", &format!("{body}and more")).ok();
}

/// A body needs a length; encodings of the transfer are not served (decision D14).
#[test]
fn transfer_encodings_are_refused() {
    let server = Setup::new().start();
    let chunks = "15\r\n{\"endpoint\":\"health\"}\r\n0\r\n\r\n";
    for headers in [
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: Chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 21\r\n",
        "Content-Length: 21\r\nTransfer-Encoding: chunked\r\n",
    ] {
        let mut connection = server.connect();
        connection.send(format!("POST /capabilities/check HTTP/1.1\r\n{headers}\r\n{chunks}"));
        let answer = connection.answer();
        assert_eq!(answer.status, 400, "{headers:?}: {answer:?}");
        // With a length beside it, the HTTP library may say so by itself.
        if !answer.body.is_empty() {
            answer.refused(400, "unsupported_encoding");
        }
    }
    for value in ["identity", "gzip", "gzip, chunked", "nonsense"] {
        let answer = raw(&server, &format!("Transfer-Encoding: {value}\r\n"), chunks);
        assert_eq!(answer.status, 400, "{value}: {answer:?}");
    }
}

/// The limit, to the byte, and what a rule makes of it.
#[test]
fn a_body_is_limited_to_the_byte() {
    let padded = |size: usize| {
        let mut body = br#"{"endpoint":"health"}"#.to_vec();
        body.resize(size, b' ');
        body
    };
    let server = Setup::new().start();
    check(&server, padded(LIMIT)).ok();
    assert_eq!(check(&server, padded(LIMIT + 1)).refused(413, "payload_too_large")["limit"], LIMIT);
    for (limit, bytes) in [(json!(100), 100), (json!("12MiB"), 12 << 20)] {
        let policy = json!({"endpoints": {"capabilities_check": {"limits": {"max_request_bytes": limit}}}});
        let server = Setup::new().policy(&policy).start();
        check(&server, padded(bytes)).ok();
        assert_eq!(check(&server, padded(bytes + 1)).refused(413, "payload_too_large")["limit"], bytes);
    }
}

/// A body of a `GET` is nobody's, whatever it is; the connection goes on behind it.
#[test]
fn the_body_of_a_get_is_skipped() {
    let server = Setup::new().start();
    let mut connection = server.connect();
    for body in ["{", "GET /nope HTTP/1.1\r\n\r\n", ""] {
        let answer = connection.call(&server.request("GET", "/capabilities").body(body));
        assert_eq!(answer.ok()["api_version"], 2);
    }
    let mut connection = server.connect();
    connection.send("GET /health HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    assert_eq!(connection.answer().ok(), json!({"status": "ok"}));
}

/// A peer that ends before its body does gets 400 or a close, and nothing is done.
#[test]
fn a_body_that_ends_early_is_not_handled() {
    let server = Setup::new().start();
    let path = server.base().join("made");
    let body = json!({"path": path.to_str()}).to_string();
    let mut connection = server.connect();
    // The object is complete, the body is not.
    let head = server.request("POST", "/files/mkdir").header("Content-Length", (body.len() + 1).to_string()).head();
    connection.send(head);
    connection.send(&body);
    connection.end_writing();
    let (answer, end) = connection.rest_of_any_end();
    end.unwrap();
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400 "), "{}", String::from_utf8_lossy(&answer));
    assert!(!path.exists());
}

/// Query strings (contract: pipeline §4) of a native endpoint and of a component's.
#[test]
fn repeated_query_keys_are_refused_everywhere() {
    let server = Setup::new().start();
    let stat = |query: &str| server.call(&server.request("GET", &format!("/files/stat?{query}")));
    for query in ["a=1&a=2", "a=1&a=1", "path=x&p%61th=y", "+a=1&%20a=2"] {
        server.call(&server.request("GET", &format!("/health?{query}"))).refused(400, "duplicate_parameter");
        stat(query).refused(400, "duplicate_parameter");
    }
    for query in ["a=&a=1", "a&a", "a=&a=", "a=1;a=2", "a=1&A=1", "a=1&&b=2"] {
        server.call(&server.request("GET", &format!("/health?{query}"))).ok();
        let body: Value = stat(query).refused(400, "invalid_path");
        assert_eq!(body["endpoint"], "files_stat");
    }
    let base = server.base();
    let named = |query: String| stat(&query).ok()["name"].clone();
    assert_eq!(named(format!("path=&path={}/a+b%2Bc", base.display())), "a b+c");
    assert_eq!(named(format!("path={}/a%zzb%FFc", base.display())), "a%zzb\u{fffd}c");
}
