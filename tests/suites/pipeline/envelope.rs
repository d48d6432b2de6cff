//! Error bodies (contract: pipeline §7), flat and in the form of `/v1/` (decisions D1, D2).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Answer, Request, Server, Setup, TOKEN};

/// A server with one of every refusal. No group but `core` has a component, so that a request which passes all steps is
/// answered `plugin_unavailable` by every build.
fn server() -> Server {
    let policy = json!({
        "auth": {"tokens": [
            {"id": "all", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
            {"id": "none", "token_env": "NONE", "scopes": []},
        ]},
        "groups": ["agents"],
        "endpoints": {
            "agents_models_list": {"enabled": false},
            "files_list": {"enabled": false},
            "agents_sessions_create": {"limits": {"max_request_bytes": 10}},
            "files_mkdir": {"limits": {"max_request_bytes": 10}},
            "agents_sessions_list": {"limits": {"rate_per_minute": 1}},
            "files_stat": {"limits": {"rate_per_minute": 1}},
        },
    });
    let setup = Setup::new().with_token().env("NONE", "none").policy(&policy);
    let empty = setup.place("no-components");
    std::fs::create_dir(&empty).unwrap();
    setup.arg("--builtin-dir").arg(empty).start()
}

/// One refusal: what brings it about on a flat and on a `/v1/` endpoint, and what it answers.
struct Row {
    requests: [(Request, &'static str); 2],
    status: u16,
    kind: &'static str,
    code: &'static str,
    /// `error.type` below `/v1/`.
    openai: &'static str,
    extra: Value,
}

fn rows() -> Vec<Row> {
    let post = |target: &str| Request::new("POST", target).bearer(TOKEN);
    let get = |target: &str| Request::new("GET", target).bearer(TOKEN);
    let (mkdir, create) = ("files_mkdir", "agents_sessions_create");
    let both = |suffix: &str, make: &dyn Fn(Request) -> Request| {
        let targets = [("/files/mkdir", mkdir), ("/v1/agents/sessions", create)];
        targets.map(|(target, id)| (make(post(&format!("{target}{suffix}"))), id))
    };
    let row = |requests, status, kind, code, openai, extra| Row { requests, status, kind, code, openai, extra };
    let invalid = "invalid_request_error";
    vec![
        row(
            both("", &|request| request.bearer("wrong")),
            401,
            "AuthError",
            "unauthorized",
            "authentication_error",
            json!({}),
        ),
        row(
            both("", &|request| request.header("X-Access-Token", "a").header("X-Access-Token", "b")),
            400,
            "ValueError",
            "ambiguous_credentials",
            invalid,
            json!({}),
        ),
        row(
            both("", &|request| request.bearer("none")),
            403,
            "PolicyDenied",
            "missing_scope",
            "permission_error",
            json!({"identity": "none", "scope": "$any"}),
        ),
        row(both("?a=1&a=1", &|request| request), 400, "ValueError", "duplicate_parameter", invalid, json!({})),
        row(
            both("", &|request| request.header("Transfer-Encoding", "chunked")),
            400,
            "ValueError",
            "unsupported_encoding",
            invalid,
            json!({}),
        ),
        row(
            both("", &|request| request.body("01234567890")),
            413,
            "ValueError",
            "payload_too_large",
            invalid,
            json!({"limit": 10}),
        ),
        row(both("", &|request| request.body("[]")), 400, "ValueError", "bad_body", invalid, json!({})),
        row(
            [(get("/files/list"), "files_list"), (get("/v1/models"), "agents_models_list")],
            404,
            "ValueError",
            "endpoint_disabled",
            "not_found_error",
            json!({"rule": "$any"}),
        ),
        row(both("", &|request| request), 503, "RuntimeError", "plugin_unavailable", "server_error", json!({})),
        // The first one spends the only token.
        row(
            [(get("/files/stat"), "files_stat"), (get("/v1/agents/sessions"), "agents_sessions_list")],
            429,
            "RateLimited",
            "rate_limited",
            "rate_limit_error",
            json!({"retry_after": 60}),
        ),
    ]
}

/// A body has these members and no others; `$any` stands for any text.
#[track_caller]
fn has_exactly(body: &Value, expected: &Value) {
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(body), names(expected), "{body}");
    for (name, value) in expected.as_object().unwrap() {
        match value.as_str() {
            Some("$any") => assert!(body[name].as_str().is_some_and(|text| !text.is_empty()), "{name}: {body}"),
            _ => assert_eq!(&body[name], value, "{name}: {body}"),
        }
    }
}

fn with(mut object: Value, more: &Value) -> Value {
    object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    object
}

/// Headers of every JSON answer: these, and none that speak of caching, credentials or origins.
#[track_caller]
fn has_plain_headers(answer: &Answer) {
    let names: BTreeSet<_> = answer.headers.iter().map(|(name, _)| name.as_str()).collect();
    let expected = match answer.status {
        429 => vec!["content-length", "content-type", "date", "retry-after", "server"],
        _ => vec!["content-length", "content-type", "date", "server"],
    };
    let names: Vec<_> = names.into_iter().filter(|name| *name != "connection").collect();
    assert_eq!(names, expected, "{answer:?}");
    assert_eq!(answer.header("server"), Some(concat!("abxd/", env!("CARGO_PKG_VERSION"))));
    assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"));
}

#[test]
fn every_refusal_has_its_body() {
    let server = server();
    for Row { requests, status, kind, code, openai, extra } in rows() {
        for (request, endpoint) in requests {
            if status == 429 {
                server.call(&request).failed(503);
            }
            let answer = server.call(&request);
            assert_eq!(answer.status, status, "{code} {endpoint}: {answer:?}");
            has_plain_headers(&answer);
            if let Some(seconds) = extra["retry_after"].as_u64() {
                assert_eq!(answer.header("retry-after"), Some(&*seconds.to_string()));
            }
            let body = answer.json();
            let flat = with(json!({"error": "$any", "type": kind, "code": code, "endpoint": endpoint}), &extra);
            if endpoint.starts_with("agents_") {
                has_exactly(&with(body.clone(), &json!({"error": "(an object)"})), &flat);
                let error = json!({"message": "$any", "type": openai, "param": null, "code": code});
                has_exactly(&body["error"], &error);
            } else {
                has_exactly(&body, &flat);
            }
        }
    }
}

/// A path that no endpoint has is not an endpoint's error, below `/v1/` either.
#[test]
fn no_match_is_flat_everywhere() {
    let server = server();
    for path in ["/nowhere", "/v1", "/v1/nowhere", "/v1/agents/sessions/a/b/c/d", "/v1/files/x/y/z"] {
        let answer = server.call(&Request::new("GET", path));
        assert_eq!(answer.status, 404);
        has_plain_headers(&answer);
        assert_eq!(answer.json(), json!({"error": format!("Not found: {path}"), "type": "ValueError"}));
    }
}

/// Which rule switched an endpoint off, in the seed's forms; what decided within a preset stands beside (decision D4).
#[test]
fn a_disabled_endpoint_names_its_rule() {
    for (policy, groups, target, rule, detail) in [
        (json!({}), "", "POST /code/run", "default:opt-in:dev_tools", None),
        (json!({"groups": {"process": false}}), "", "POST /shell", "policy:groups.process", None),
        (json!({"endpoints": {"shell": {"enabled": false}}}), "process", "POST /shell", "policy:endpoints.shell", None),
        (json!({"defaults": {"enabled": false}}), "", "POST /shell", "policy:defaults", None),
        (
            json!({"preset": "read-only"}),
            "process",
            "DELETE /files",
            "preset:read-only",
            Some("endpoints.files_delete"),
        ),
        (json!({"preset": "transfer-only"}), "process", "POST /shell", "preset:transfer-only", Some("endpoints.*")),
        (json!({"preset": "hardened"}), "", "POST /shell", "preset:hardened", Some("groups.process")),
    ] {
        let server = Setup::new().policy(&policy).env("ABX_SERVER_ENABLED_GROUPS", groups).start();
        let (method, path) = target.split_once(' ').unwrap();
        let body = server.call(&Request::new(method, path)).refused(404, "endpoint_disabled");
        assert_eq!((body["rule"].as_str(), body["rule_detail"].as_str()), (Some(rule), detail), "{policy}");
    }
}
