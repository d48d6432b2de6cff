//! B32: a listening port is missed, or shown on the wrong address.

use std::net::TcpListener;

use serde_json::json;

use crate::harness::{Server, Setup};

fn entries(server: &Server, port: u16) -> Vec<serde_json::Value> {
    let all = server.call(&server.request("GET", "/ports")).ok()["listening"].as_array().unwrap().clone();
    all.into_iter().filter(|entry| entry["port"] == port).collect()
}

/// B32: all four, right addresses, pid where it can be known.
#[test]
fn every_listener_is_shown_on_its_address() {
    let server = Setup::new().start();
    for (address, shown, protocol) in [
        ("127.0.0.1", "127.0.0.1", "tcp"),
        ("[::1]", "::1", "tcp6"),
        ("0.0.0.0", "0.0.0.0", "tcp"),
        ("[::]", "::", "tcp6"),
        ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", "tcp6"),
    ] {
        let listener = TcpListener::bind(format!("{address}:0")).unwrap();
        let port = listener.local_addr().unwrap().port();
        let entry = json!({"port": port, "protocol": protocol, "address": shown, "pid": std::process::id()});
        assert_eq!(entries(&server, port), [entry]);
        drop(listener);
        assert!(entries(&server, port).is_empty(), "{address}");
    }
    let own = json!({"port": server.port, "protocol": "tcp", "address": "127.0.0.1", "pid": server.pid()});
    assert_eq!(entries(&server, server.port), [own]);
}

/// B32: many calls in a row, each of them complete.
#[test]
fn a_hundred_calls_in_a_row_are_all_answered() {
    let server = Setup::new().start();
    let listeners: Vec<_> = (0..50).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let ports: Vec<_> = listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect();
    let mut connection = server.connect();
    for _ in 0..100 {
        let all = connection.call(&server.request("GET", "/ports")).ok()["listening"].as_array().unwrap().clone();
        assert!(ports.iter().all(|port| all.iter().any(|entry| entry["port"] == *port)));
    }
}
