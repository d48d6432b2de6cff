//! Who gets no terminal, and what they are told (contract: terminal, WebSocket protocol, credentials).

use serde_json::{Value, json};

use super::Terminal;
use crate::harness::socket::handshake;
use crate::harness::{Request, Server, Setup, Socket, TOKEN, abxd};

fn closed(server: &Server, handshake: &Request) -> (u16, String) {
    Socket::open(server.pty_port, handshake).closes()
}

#[track_caller]
fn is_let_in(server: &Server, handshake: &Request) {
    let heard = Socket::open(server.pty_port, handshake).hear();
    assert_eq!(heard.json()["event"], "started", "{handshake:?}");
}

#[test]
fn any_credential_that_matches_is_enough() {
    let server = Setup::new().with_token_of("right").start();
    let terminal = Terminal::open(&server);
    let plain = || handshake(&format!("/pty?session_id={}", terminal.id));
    let query = |token: &str| handshake(&format!("/pty?session_id={}&token={token}", terminal.id));
    let (bearer, access) = ("Authorization", "X-Access-Token");
    for granted in [
        plain().header(bearer, "Bearer right"),
        plain().header(bearer, "bEaReR   right  "),
        plain().header(access, "right"),
        plain().header(access, "right").header(access, "right"),
        plain().header(bearer, "Bearer wrong").header(access, "right"),
        plain().header(bearer, "Bearer right").header(access, "wrong"),
        query("right"),
        query("ri%67ht"),
        query("right&token=wrong"),
        // Headers that say nothing do not count.
        query("right").header(bearer, "").header(access, " "),
        query("wrong").header(bearer, "Bearer right"),
    ] {
        is_let_in(&server, &granted);
    }
    for refused in [
        plain(),
        plain().header(bearer, "Bearer wrong"),
        plain().header(bearer, "Basic right"),
        plain().header(access, "wrong"),
        plain().header(access, "right").header(access, "wrong"),
        query("wrong"),
        query(""),
        query("wrong&token=right"),
        query("right").header(bearer, "Bearer wrong"),
        query("right").header(bearer, "Basic right"),
        query("right").header(access, "wrong"),
    ] {
        assert_eq!(closed(&server, &refused), (4001, "Unauthorized".to_owned()), "{refused:?}");
    }
}

fn policy(connect: &Value) -> Setup {
    let tokens = json!([
        {"id": "all", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
        {"id": "reader", "token_env": "READER", "scopes": ["files:read"]},
    ]);
    let document = json!({"auth": {"tokens": tokens}, "endpoints": {"pty_connect": connect}});
    Setup::new().with_token().env("READER", "reader").policy(&document)
}

/// The first check that fails is the one that answers.
#[test]
fn checks_come_in_the_contracts_order() {
    let told = |server: &Server, token: &str, query: &str| {
        closed(server, &handshake(&format!("/{query}")).header("X-Access-Token", token))
    };
    let told = |server: &Server, token: &str, query: &str| {
        let (code, reason) = told(server, token, query);
        format!("{code} {reason}")
    };
    let off = policy(&json!({"enabled": false})).start();
    assert_eq!(told(&off, "wrong", ""), "4001 Unauthorized");
    assert_eq!(told(&off, "reader", ""), "4003 Endpoint disabled");
    assert_eq!(told(&off, TOKEN, "?session_id=x"), "4003 Endpoint disabled");

    let on = policy(&json!({"limits": {"rate_per_minute": 4}})).start();
    assert_eq!(told(&on, "reader", "?session_id="), "4003 Forbidden");
    assert_eq!(told(&on, TOKEN, ""), "1008 Missing session_id parameter");
    assert_eq!(told(&on, TOKEN, "?session_id="), "1008 Missing session_id parameter");
    assert_eq!(told(&on, TOKEN, "?session_id=nope&session_id=other"), "1008 Unknown session: nope");
    // A reason has room for 123 bytes, and ends with a whole character.
    let (code, reason) =
        closed(&on, &handshake(&format!("/?session_id={}", "%C3%A9".repeat(200))).header("X-Access-Token", TOKEN));
    assert_eq!((code, reason), (1008, format!("Unknown session: {}", "\u{e9}".repeat(53))));
    assert_eq!(told(&on, TOKEN, ""), "1013 Try again later");
    // Who may not come in at all uses nothing up.
    assert_eq!(told(&on, "reader", ""), "4003 Forbidden");
}

/// The path is not looked at.
#[test]
fn every_path_leads_to_the_terminal() {
    let server = Setup::new().start();
    let terminal = Terminal::open(&server);
    for path in ["/", "/pty", "/x/y", "/pty/", "/%2F"] {
        is_let_in(&server, &handshake(&format!("{path}?other=1&session_id={}&session_id=x", terminal.id)));
    }
    // It is no endpoint of the other port.
    let answer = server.call(&Request::new("GET", "/pty"));
    assert_eq!((answer.status, &answer.json()["error"]), (404, &json!("Not found: /pty")));
}

/// Pages of other hosts (decision D13). They see no close frame, but no socket at all.
#[test]
fn pages_of_other_hosts_are_refused_by_an_open_server() {
    let open = Setup::new().start();
    let terminal = Terminal::open(&open);
    let from = |origin: &str| terminal.handshake(&open).header("Origin", origin);
    for origin in ["http://evil.example", "null", "http://test:8080"] {
        let refused = Socket::try_open(open.pty_port, &from(origin)).unwrap_err();
        assert_eq!(refused.refused(403, "cross_origin_denied")["endpoint"], "pty_connect");
    }
    let site = terminal.handshake(&open).header("Sec-Fetch-Site", "cross-site");
    Socket::try_open(open.pty_port, &site).unwrap_err().refused(403, "cross_origin_denied");
    is_let_in(&open, &from("http://test"));
    // With tokens the token is the answer.
    let closed_one = Setup::new().with_token().start();
    let terminal = Terminal::open(&closed_one);
    is_let_in(&closed_one, &terminal.handshake(&closed_one).header("Origin", "http://evil.example"));
}

/// Where the group has no component there are no terminals, and the port says so.
#[test]
fn a_server_without_the_component_says_that_it_is_not_ready() {
    let setup = Setup::new();
    let folder = setup.place("program");
    std::fs::create_dir_all(folder.join("builtin")).unwrap();
    for component in std::fs::read_dir(abxd().with_file_name("builtin")).unwrap() {
        let component = component.unwrap();
        if !component.file_name().to_string_lossy().starts_with("terminal") {
            std::fs::copy(component.path(), folder.join("builtin").join(component.file_name())).unwrap();
        }
    }
    std::fs::copy(abxd(), folder.join("abxd")).unwrap();
    let server = setup.at(&folder.join("abxd")).start();
    server.post("/pty/sessions", &json!({})).refused(503, "plugin_unavailable");
    let told = closed(&server, &handshake("/pty?session_id=x"));
    assert_eq!(told, (1011, "Server policy is not initialized".to_owned()));
}
