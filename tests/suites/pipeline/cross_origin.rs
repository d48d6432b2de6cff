//! Web pages that reach for a server without tokens (decision D13).

use serde_json::json;

use crate::harness::{Request, Server, Setup};

/// A request as a browser sends it from a page.
fn from_page(target: &str, origin: Option<&str>, site: Option<&str>) -> Request {
    // A "simple" request: a browser asks nobody before it sends it.
    let request = Request::new("POST", target).header("Content-Type", "text/plain").body("{}");
    let request = origin.into_iter().fold(request, |request, origin| request.header("Origin", origin));
    site.into_iter().fold(request, |request, site| request.header("Sec-Fetch-Site", site))
}

const FOREIGN: [(Option<&str>, Option<&str>); 6] = [
    (Some("http://evil.example"), None),
    (Some("http://evil.example"), Some("cross-site")),
    (None, Some("cross-site")),
    (Some("null"), None),
    (Some("http://test:8080"), None),
    (Some("http://test"), Some("cross-site")),
];

fn endpoints() -> [&'static str; 4] {
    ["/capabilities/check", "/files/mkdir", "/upload?path=x", "/shell"]
}

#[test]
fn pages_of_other_hosts_are_refused_by_an_open_server() {
    let server = Setup::new().start();
    for (origin, site) in FOREIGN {
        for target in endpoints() {
            let answer = server.call(&from_page(target, origin, site));
            assert_eq!(answer.refused(403, "cross_origin_denied")["type"], "PolicyDenied", "{origin:?} {site:?}");
            assert!(answer.headers.iter().all(|(name, _)| !name.starts_with("access-control-")), "{answer:?}");
        }
    }
    assert_eq!(std::fs::read_dir(server.base()).unwrap().count(), 0, "something was done");
}

/// Programs send neither header; a page that the server itself gave has its own host.
#[test]
fn programs_and_own_pages_are_served() {
    let server = Setup::new().start();
    let is_served = |server: &Server, request: &Request| {
        let answer = server.call(request);
        assert_ne!(answer.json()["code"], "cross_origin_denied", "{request:?}");
    };
    for target in endpoints() {
        for (origin, site) in [
            (None, None),
            (Some("http://test"), None),
            (Some("http://TEST"), Some("same-origin")),
            (None, Some("same-origin")),
            (None, Some("none")),
        ] {
            is_served(&server, &from_page(target, origin, site));
        }
    }
}

/// With tokens, or without anybody who may come in, the token is the answer.
#[test]
fn a_server_with_tokens_looks_at_the_token_only() {
    let server = Setup::new().with_token().start();
    for (origin, site) in FOREIGN {
        let request = from_page("/files/mkdir", origin, site);
        server.call(&request).refused(401, "unauthorized");
        let body = json!({"path": server.base().to_str()}).to_string();
        server.call(&request.body(body).bearer(crate::harness::TOKEN)).ok();
    }
}

/// No page is ever told that it may read an answer.
#[test]
fn no_answer_has_cors_headers() {
    let server = Setup::new().start();
    for method in ["GET", "OPTIONS"] {
        let request = Request::new(method, "/health").header("Origin", "http://evil.example");
        let answer = server.call(&request.header("Access-Control-Request-Method", "POST"));
        assert!(answer.headers.iter().all(|(name, _)| !name.starts_with("access-control-")), "{answer:?}");
    }
}
