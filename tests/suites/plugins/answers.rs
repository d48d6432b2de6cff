//! Answers that can't be sent as the component gave them.

use serde_json::{Value, json};

use super::component::budget;
use crate::harness::{Answer, Events, Request, Server, Setup};

/// The answer to a request whose query is what the component is to say.
fn ask(server: &Server, kind: &str, query: &[(&str, &str)]) -> Answer {
    let request = server.request("GET", &format!("/hostile/{kind}"));
    server.call(&query.iter().fold(request, |request, (name, value)| request.query(name, value)))
}

#[test]
fn what_is_no_answer_is_the_plugins_failure() {
    let server = Setup::new().with_hostile().start();
    for query in [
        vec![("status", "0")],
        vec![("status", "99")],
        vec![("status", "100")],
        vec![("status", "101")],
        vec![("status", "199")],
        vec![("status", "400")],
        vec![("status", "500")],
        vec![("status", "700")],
        vec![("status", "1000")],
        vec![("status", "65535")],
        vec![("status", "204"), ("body", "x")],
        vec![("status", "205"), ("body", "x")],
        vec![("status", "304"), ("body", "x")],
        vec![("name", "x"), ("value", "a\r\nSet-Cookie: smuggled=1")],
        vec![("name", "x"), ("value", "a\nb")],
        vec![("name", "x"), ("value", "a\0b")],
        vec![("name", "x\r\nSet-Cookie"), ("value", "smuggled=1")],
        vec![("name", "x: y"), ("value", "a")],
        vec![("name", ""), ("value", "a")],
        vec![("name", "é"), ("value", "a")],
        vec![("name", "Content-Length"), ("value", "1")],
        vec![("name", "content-length"), ("value", "0"), ("body", "{}")],
        vec![("name", "Transfer-Encoding"), ("value", "chunked")],
        vec![("name", "Connection"), ("value", "close")],
        vec![("name", "Upgrade"), ("value", "websocket")],
        vec![("name", "Set-Cookie"), ("value", "smuggled=1")],
        vec![("name", "Server"), ("value", "other")],
        vec![("name", "Date"), ("value", "today")],
        vec![("name", "WWW-Authenticate"), ("value", "Basic")],
        vec![("name", "Access-Control-Allow-Origin"), ("value", "*")],
        vec![("name", "Strict-Transport-Security"), ("value", "max-age=1")],
        vec![("name", "X-Accel-Redirect"), ("value", "/etc/passwd")],
        vec![("name", "x"), ("value", &"v".repeat(40_000))],
    ] {
        let answer = ask(&server, "answer", &query);
        let body = answer.is_broken(500, "plugin_failed");
        assert_eq!(body["error"], "the plugin's answer is malformed", "{query:?}");
        assert_eq!(answer.header("set-cookie"), None, "{query:?}");
        assert_eq!(answer.header("connection"), None, "{query:?}");
    }
    // No instance broke down: the component itself did as it was told.
    assert_eq!(server.plugin("hostile")["state"], "serving");
}

#[test]
fn what_is_an_answer_is_sent() {
    let server = Setup::new().with_hostile().start();
    let mut connection = server.connect();
    for (query, status, body) in [
        (vec![("body", "{}")], 200, "{}"),
        (vec![("status", "207"), ("body", "x")], 207, "x"),
        (vec![("status", "204")], 204, ""),
        (vec![("status", "304")], 304, ""),
        (vec![("status", "302"), ("name", "Location"), ("value", "/x")], 302, ""),
        (vec![("name", "X-Own"), ("value", "é\t")], 200, ""),
    ] {
        let request = server.request("GET", "/hostile/answer");
        let answer = connection.call(&query.iter().fold(request, |request, (name, value)| request.query(name, value)));
        assert_eq!((answer.status, answer.text().as_str()), (status, body), "{query:?}");
    }
}

/// A stream that has begun has one status and the host's own headers (contract: pipeline §8).
#[test]
fn a_stream_is_a_stream_whatever_its_head_says() {
    let server = Setup::new().with_hostile().start();
    for (status, name, value) in [
        ("200", "x-own", "1"),
        ("202", "content-type", "text/html"),
        ("207", "cache-control", "max-age=9"),
        ("302", "location", "/x"),
    ] {
        let request = server.request("GET", "/hostile/events");
        let request = request.query("status", status).query("name", name).query("value", value);
        let mut events = Events::open(&server, &request);
        assert_eq!(events.head.header("content-type"), Some("text/event-stream"), "{status}");
        assert_eq!(events.head.header("cache-control"), Some("no-cache"), "{status}");
        assert_eq!(events.event(), Some(("said".to_owned(), json!({}))), "{status}");
        assert_eq!(events.frame(), None, "{status}");
    }
}

#[test]
fn a_fault_is_an_error_and_cannot_speak_for_the_host() {
    let server = Setup::new().with_hostile().start();
    for (query, status, kind, code) in [
        (vec![("status", "418"), ("kind", "TeapotError"), ("code", "short")], 418, "TeapotError", json!("short")),
        (vec![("status", "599")], 599, "Hostile", Value::Null),
        (vec![("field", "code"), ("json", "\"forged\"")], 400, "Hostile", Value::Null),
        (vec![("code", "own"), ("field", "code"), ("json", "\"forged\"")], 400, "Hostile", json!("own")),
        (vec![("field", "endpoint"), ("json", "\"forged\"")], 400, "Hostile", Value::Null),
        (vec![("field", "type"), ("json", "\"forged\"")], 400, "Hostile", Value::Null),
        (vec![("field", "error"), ("json", "\"forged\"")], 400, "Hostile", Value::Null),
        (vec![("name", "Set-Cookie"), ("value", "smuggled=1")], 400, "Hostile", Value::Null),
        (vec![("name", "x"), ("value", "a\r\nSet-Cookie: smuggled=1")], 400, "Hostile", Value::Null),
    ] {
        let answer = ask(&server, "fault", &query);
        let body = answer.failed_as(status, kind);
        assert_eq!(body["endpoint"], "hostile_fault", "{query:?}");
        assert_eq!(body["error"], "the plugin's own words", "{query:?}");
        assert_eq!(body["code"], code, "{query:?}");
        assert_eq!(answer.header("set-cookie"), None, "{query:?}");
    }
    let field =
        |json: &str| ask(&server, "fault", &[("field", "detail"), ("json", json)]).failed(400)["detail"].clone();
    assert_eq!(field("{\"a\":[1]}"), json!({"a": [1]}));
    // What is no JSON is left out.
    for no_json in ["{", "", "1 2", "\"\\ud800\"", &"[".repeat(4000)] {
        assert_eq!(field(no_json), Value::Null, "{no_json:.10}");
    }
}

#[test]
fn what_is_no_error_is_the_plugins_failure() {
    let server = Setup::new().with_hostile().start();
    for query in [
        vec![("status", "200")],
        vec![("status", "0")],
        vec![("status", "399")],
        vec![("status", "600")],
        vec![("kind", "Two words")],
        vec![("kind", &"k".repeat(65))],
        vec![("code", "a\r\nb")],
    ] {
        ask(&server, "fault", &query).is_broken(500, "plugin_failed");
    }
    ask(&server, "denial", &[("code", "no code")]).is_broken(500, "plugin_failed");
    assert_eq!(ask(&server, "denial", &[("code", "path_denied")]).refused(403, "path_denied")["type"], "PolicyDenied");
}

#[test]
fn answers_have_bounds() {
    let policy =
        budget(&json!({"memory_bytes": "128MiB", "group_memory_bytes": "1GiB", "cpu_seconds": 20, "wall_seconds": 60}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let count = |kind, count: u32| ask(&server, kind, &[("count", &count.to_string())]);
    assert_eq!(count("bytes", 1 << 20).body.len(), 1 << 20);
    // More than the host lets out of a component at once.
    count("bytes", 60 << 20).is_broken(500, "plugin_failed");
    assert_eq!(count("segments", 1000).body.len(), 0);
    for pieces in [2000, 100_000, 1_000_000] {
        count("segments", pieces).is_broken(500, "plugin_failed");
    }
    assert_eq!(count("headers", 50).status, 200);
    // More than a table of headers can hold.
    for headers in [100, 1000, 40_000] {
        count("headers", headers).is_broken(500, "plugin_failed");
    }
}

/// The audit log tells what was sent.
#[test]
fn the_audit_log_has_the_hosts_words() {
    let server = Setup::new().with_hostile().start();
    ask(&server, "answer", &[("name", "Set-Cookie"), ("value", "x")]).is_broken(500, "plugin_failed");
    server.call(&Request::new("GET", "/hostile/fault?code=own&status=409")).refused(409, "own");
    let lines = server.log.audit(2);
    for (line, (endpoint, status, code)) in
        lines.iter().zip([("hostile_answer", 500, "plugin_failed"), ("hostile_fault", 409, "own")])
    {
        assert_eq!(
            (&line["endpoint"], &line["status"], &line["code"]),
            (&json!(endpoint), &json!(status), &json!(code))
        );
    }
}
