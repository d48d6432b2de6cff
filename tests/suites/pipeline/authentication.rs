//! Step 2: who is calling (contract: pipeline §6).

use serde_json::{Value, json};

use crate::harness::{Answer, Request, Server, Setup, TOKEN};

/// A call of `GET /capabilities` with these headers.
fn call(server: &Server, headers: &[(&str, &[u8])]) -> Answer {
    let request = Request::new("GET", "/capabilities");
    server.call(&headers.iter().fold(request, |request, (name, value)| request.header(name, value)))
}

/// Who the server takes the caller for.
#[track_caller]
fn identity(server: &Server, headers: &[(&str, &[u8])]) -> Value {
    call(server, headers).ok()["identity"]["id"].clone()
}

const ALL: &str = "Authorization";
const X: &str = "X-Access-Token";

/// Tokens `one`, `two` and `nöt ascii`, of three identities.
fn three(auth: &Value) -> Server {
    let mut policy = json!({"auth": {"tokens": [
        {"id": "first", "token_env": "FIRST", "scopes": ["files:read"]},
        {"id": "second", "token_env": "SECOND", "scopes": ["*"]},
        {"id": "third", "token_env": "THIRD", "scopes": []},
        {"id": "fourth", "token_env": "SECOND", "scopes": []},
        // SHA-256 of "hashed".
        {"id": "fifth", "token_sha256": "1A06DF824ED741B53C785079A6347F00EEC5AF82F9850775409CA69DFF4068A6", "scopes": []},
    ]}});
    policy["auth"].as_object_mut().unwrap().extend(auth.as_object().unwrap().clone());
    let setup = Setup::new().policy(&policy).env("ABX_SERVER_TOKEN", "ignored");
    setup.env("FIRST", "one").env("SECOND", "two").env("THIRD", "n\u{f6}t ascii").start()
}

#[test]
fn credentials_are_found_where_the_table_says() {
    let server = three(&json!({}));
    let token = "n\u{f6}t ascii".as_bytes();
    for (headers, id) in [
        (&[(ALL, b"Bearer one".as_slice())][..], "first"),
        (&[(ALL, b"bEARER one")], "first"),
        (&[(ALL, b"Bearer    one  ")], "first"),
        (&[("authorization", b"Bearer two")], "second"),
        (&[(ALL, b"Bearer hashed")], "fifth"),
        (&[(X, b"one")], "first"),
        (&[(X, b"  one\t")], "first"),
        (&[("x-access-token", token)], "third"),
        (&[(ALL, &[b"Bearer ", token].concat())], "third"),
        // The first candidate that is known wins, and of two identities with one token the first.
        (&[(ALL, b"Bearer wrong"), (X, b"one")], "first"),
        (&[(ALL, b"Bearer one"), (X, b"wrong")], "first"),
        (&[(ALL, b"Bearer one"), (X, b"two")], "first"),
        (&[(ALL, b"Bearer wrong"), (ALL, b"Bearer two")], "second"),
        (&[(ALL, b"Bearer two"), (ALL, b"Bearer one")], "second"),
        (&[(X, b"one"), (X, b"one")], "first"),
        (&[(X, b"one"), (X, b" one ")], "first"),
    ] {
        assert_eq!(identity(&server, headers), id, "{headers:?}");
    }
    for headers in [
        &[][..],
        &[(ALL, b"one".as_slice())],
        &[(ALL, b"Bearer\tone")],
        &[(ALL, b"Bearer")],
        &[(ALL, b"Bearer ")],
        &[(ALL, b"Basic b25lOm9uZQ==")],
        &[(ALL, b"Token one")],
        &[(ALL, b"Bearer ONE")],
        &[(ALL, b"Bearer one, Bearer two")],
        &[(ALL, b"Bearer ignored")],
        &[(X, b"Bearer one")],
        &[(X, b"")],
        &[("Cookie", b"token=one")],
        &[("X-Auth-Token", b"one")],
    ] {
        call(&server, headers).refused(401, "unauthorized");
    }
    // No source but the headers.
    for target in ["/capabilities?token=one", "/capabilities?access_token=one", "/capabilities?X-Access-Token=one"] {
        let answer = server.call(&Request::new("GET", target));
        assert_eq!(answer.refused(401, "unauthorized")["error"], "unauthorized");
        assert_eq!(answer.header("www-authenticate"), None);
    }
}

/// Two different values of the one header are refused, whatever else there is.
#[test]
fn two_different_access_tokens_are_ambiguous() {
    let open = Setup::new().start();
    for server in [&three(&json!({})), &open] {
        for headers in [
            &[(X, b"one".as_slice()), (X, b"two")][..],
            &[(X, b"one"), (X, b"")],
            &[(X, b"one"), (X, b"one"), (X, b"x")],
            &[(ALL, b"Bearer one"), (X, b"one"), (X, b"two")],
        ] {
            call(server, headers).refused(400, "ambiguous_credentials");
        }
    }
    // `health` looks at none of them.
    let health = Request::new("GET", "/health").header(X, "one").header(X, "two").bearer("wrong");
    assert_eq!(open.call(&health).ok(), json!({"status": "ok"}));
}

/// When there is an anonymous caller, and what it holds.
#[test]
fn anonymous_callers_exist_where_the_policy_lets_them() {
    let open = Setup::new().start();
    let body = call(&open, &[(ALL, b"Bearer any")]).ok();
    assert_eq!(body["identity"], json!({"id": "anonymous", "scopes": ["*"]}));

    let scoped = Setup::new().policy(&json!({"auth": {"anonymous_scopes": ["files:read", "a:b"]}})).start();
    assert_eq!(call(&scoped, &[]).ok()["identity"]["scopes"], json!(["a:b", "files:read"]));
    scoped.upload(scoped.base().join("x"), "x").refused(403, "missing_scope");

    let closed = Setup::new().policy(&json!({"auth": {"allow_anonymous": false}})).start();
    for headers in [&[][..], &[(ALL, b"Bearer any".as_slice())]] {
        call(&closed, headers).refused(401, "unauthorized");
    }
    closed.call(&Request::new("GET", "/health")).ok();

    let both = three(&json!({"allow_anonymous": true, "anonymous_scopes": []}));
    assert_eq!(identity(&both, &[]), "anonymous");
    assert_eq!(identity(&both, &[(ALL, b"Bearer two")]), "second");
    call(&both, &[(ALL, b"Bearer wrong")]).refused(401, "unauthorized");
    call(&both, &[(ALL, b"Bearer ignored")]).refused(401, "unauthorized");
}

/// The one token of the environment: identity `server`, every scope; its bytes count.
#[test]
fn the_token_of_the_environment_may_do_everything() {
    let server = Setup::new().with_token().start();
    let body = call(&server, &[(X, TOKEN.as_bytes())]).ok();
    assert_eq!(body["identity"], json!({"id": "server", "scopes": ["*"]}));
    assert_eq!(body["warnings"].as_array().unwrap().len(), 1);
    // Not what Latin-1 would make of it.
    let latin: Vec<u8> = TOKEN.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    call(&server, &[(X, &latin)]).refused(401, "unauthorized");
}

/// Scopes: `core:read` is everybody's, a namespace covers what is in it, and all that a rule asks for are needed.
#[test]
fn scopes_are_held_as_the_contract_says() {
    let server = three(&json!({"tokens": [
        {"id": "none", "token_env": "FIRST", "scopes": []},
        {"id": "files", "token_env": "SECOND", "scopes": ["files:*"]},
        {"id": "write", "token_env": "THIRD", "scopes": ["files:write", "core:x"]},
    ]}));
    let rename = |token: &str| {
        let body = json!({"source": "a", "destination": "b"});
        server.call(&Request::new("POST", "/files/move").bearer(token).json(&body))
    };
    assert_eq!(identity(&server, &[(X, b"one")]), "none");
    let missing = rename("one").refused(403, "missing_scope");
    assert_eq!((&missing["scope"], &missing["identity"]), (&json!("files:write"), &json!("none")));
    assert_eq!(rename("n\u{f6}t ascii").refused(403, "missing_scope")["scope"], "files:delete");
    rename("two").failed_as(404, "FileNotFoundError");
}
