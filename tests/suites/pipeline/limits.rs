//! Steps 3c and 3d: what spends a rate token, what holds a slot (contract: pipeline §1, policy §8).

use serde_json::{Value, json};

use crate::harness::{Answer, Request, Server, Setup, TOKEN};

/// A server with limits on making folders, and two identities besides the token's.
fn server(limits: &Value) -> Server {
    let policy = json!({
        "auth": {"allow_anonymous": true, "tokens": [
            {"id": "one", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
            {"id": "two", "token_env": "SECOND", "scopes": ["files:*"]},
        ]},
        "endpoints": {"files_mkdir": {"limits": limits}},
    });
    Setup::new().with_token().env("SECOND", "second").policy(&policy).start()
}

fn mkdir(server: &Server) -> Request {
    server.request("POST", "/files/mkdir").json(&json!({"path": server.base().join("d").to_str()}))
}

#[track_caller]
fn is_out_of_tokens(answer: &Answer, retry_after: u64) {
    let body = answer.refused(429, "rate_limited");
    assert_eq!((&body["type"], &body["retry_after"]), (&json!("RateLimited"), &json!(retry_after)));
    assert_eq!(answer.header("retry-after"), Some(&*retry_after.to_string()));
}

/// Every way out behind step 3c has spent a token: a good call, a guard's denial, a repeated key, a body that is refused,
/// unread or read.
#[test]
fn every_admitted_request_spends_a_token() {
    let server = server(&json!({"rate_per_minute": 7, "max_request_bytes": 1000}));
    let outside = json!({"path": server.outside().to_str()});
    server.call(&mkdir(&server)).ok();
    server.call(&server.request("POST", "/files/mkdir").json(&outside)).refused(403, "path_not_allowed");
    server.call(&server.request("POST", "/files/mkdir").json(&json!({}))).refused(400, "invalid_path");
    server.call(&server.request("POST", "/files/mkdir?a=1&a=1")).refused(400, "duplicate_parameter");
    server.call(&server.request("POST", "/files/mkdir").body("{")).refused(400, "bad_body");
    server.call(&server.request("POST", "/files/mkdir").body(vec![b' '; 1001])).refused(413, "payload_too_large");
    let chunked = server.request("POST", "/files/mkdir").header("Transfer-Encoding", "chunked");
    let mut connection = server.connect();
    connection.send(chunked.bytes());
    connection.answer().refused(400, "unsupported_encoding");
    is_out_of_tokens(&server.call(&mkdir(&server)), 9);
}

/// What is refused before step 3c spends none.
#[test]
fn a_request_that_is_not_admitted_spends_no_token() {
    let server = server(&json!({"rate_per_minute": 1}));
    for _ in 0..5 {
        server.call(&mkdir(&server).bearer("wrong")).refused(401, "unauthorized");
        let ambiguous = mkdir(&server).header("X-Access-Token", "a").header("X-Access-Token", "b");
        server.call(&ambiguous).refused(400, "ambiguous_credentials");
        server.call(&server.request("PATCH", "/files/mkdir"));
    }
    server.call(&mkdir(&server)).ok();
    is_out_of_tokens(&server.call(&mkdir(&server)), 60);
}

/// A bucket is one identity's on one endpoint; all anonymous callers are one.
#[test]
fn buckets_are_per_identity_and_endpoint() {
    let server = server(&json!({"rate_per_minute": 1}));
    for request in [mkdir(&server), mkdir(&server).bearer("second"), mkdir(&server).without("Authorization")] {
        server.call(&request).ok();
        is_out_of_tokens(&server.call(&request), 60);
    }
    server.get("/files/stat", server.base()).ok();
}

/// A limit of `defaults` is one limit for each endpoint, not one for all.
#[test]
fn limits_of_a_selector_count_for_each_endpoint_apart() {
    for (rate, retry_after) in [(1, 60), (2, 30), (3, 20), (7, 9)] {
        let policy = json!({"defaults": {"limits": {"rate_per_minute": rate}}});
        let server = Setup::new().policy(&policy).start();
        let calls = [
            server.request("GET", "/files/stat").query("path", "."),
            server.request("GET", "/files/list").query("path", "."),
            server.request("GET", "/capabilities"),
        ];
        for call in calls {
            for _ in 0..rate {
                server.call(&call).ok();
            }
            is_out_of_tokens(&server.call(&call), retry_after);
        }
    }
}

/// A request whose body is still to come holds its slot; one that finds none is told so, and has spent its token.
#[test]
fn a_request_that_waits_for_its_body_holds_its_slot() {
    let server = server(&json!({"rate_per_minute": 3, "max_concurrency": 1}));
    let body = json!({"path": server.base().to_str()}).to_string();
    let mut slow = server.connect();
    let request = server.request("POST", "/files/mkdir").header("Expect", "100-continue");
    slow.send(request.header("Content-Length", body.len().to_string()).head());
    assert_eq!(slow.head().status, 100);
    for _ in 0..2 {
        let answer = server.call(&mkdir(&server));
        let refused = answer.refused(429, "concurrency_limited");
        assert_eq!((&refused["type"], &refused["retry_after"]), (&json!("RateLimited"), &json!(1)));
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    // The token of each is gone, also of those that found no slot.
    is_out_of_tokens(&server.call(&mkdir(&server)), 20);
    // Others have a slot of their own.
    server.call(&mkdir(&server).bearer("second")).ok();
    slow.send(body);
    slow.answer().ok();
}

/// `health` is never limited and never locked, whatever the policy says (decision D11).
#[test]
fn health_knows_no_limits() {
    let policy = json!({
        "defaults": {"scopes": ["nobody:has"], "enabled": false, "limits": {"rate_per_minute": 1, "max_concurrency": 1}},
        "endpoints": {"health": {"scopes": ["nobody:has"], "enabled": false, "limits": {"rate_per_minute": 1}}},
    });
    let server = Setup::new().with_token().policy(&policy).start();
    for _ in 0..20 {
        for request in [Request::new("GET", "/health"), Request::new("GET", "/health").bearer("wrong")] {
            assert_eq!(server.call(&request).ok(), json!({"status": "ok"}));
        }
    }
    let mine = server.call(&Request::new("GET", "/capabilities").bearer(TOKEN)).ok();
    let health = &mine["endpoints"]["health"];
    assert_eq!(
        (&health["enabled"], &health["allowed"], &health["rule"], &health["scopes"], &health["limits"]),
        (&json!(true), &json!(true), &json!(null), &json!([]), &json!({}))
    );
}
