//! The port below the messages (contract: terminal, transport limits).

use super::{Client, Terminal};
use crate::harness::socket::{PING, PONG, TEXT, frame};
use crate::harness::{Request, Server, Setup, Socket};

#[test]
fn plain_http_is_told_what_the_port_is_for() {
    let server = Setup::new().with_token().start();
    for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS"] {
        let mut connection = crate::harness::Connection::open(server.pty_port);
        let answer = connection.call(&Request::new(method, "/pty"));
        assert_eq!(answer.status, if method == "GET" { 426 } else { 405 }, "{answer:?}");
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"), "{answer:?}");
        assert_eq!(answer.header("upgrade"), (method == "GET").then_some("websocket"), "{answer:?}");
    }
}

/// Offers of subprotocols and extensions are no reason to refuse.
#[test]
fn offers_are_passed_over() {
    let server = Setup::new().start();
    let terminal = Terminal::open(&server);
    let offer = terminal.handshake(&server).header("Sec-WebSocket-Protocol", "tty, other");
    let mut client = terminal
        .attach_by(&server, &offer.header("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits"));
    client.begins();
}

#[test]
fn a_ping_is_answered_with_its_payload() {
    let server = Setup::new().start();
    let (_, mut client) = Terminal::at_prompt(&server);
    for payload in [&b""[..], b"payload", &[0xff; 125]] {
        client.socket.send(PING, payload);
        let heard = client.socket.hear();
        assert_eq!((heard.kind, &heard.payload[..]), (PONG, payload));
    }
    // A pong that nobody asked for means nothing.
    client.socket.send(PONG, b"unasked");
    client.runs("true");
}

/// The session outlives what its clients do.
#[test]
fn a_client_that_breaks_the_protocol_is_closed_and_nobody_else() {
    let server = Setup::new().start();
    let (terminal, mut other) = Terminal::at_prompt(&server);
    let mut unmasked = frame(0x81, b"x");
    unmasked[1] &= 0x7f;
    for (code, bytes) in [
        // Too much in one message, by its length alone, and in pieces.
        (1009, vec![0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 1]),
        (1009, vec![0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        (1009, [frame(0x01, &vec![b' '; 1 << 20]), frame(0x80, b" ")].concat()),
        // No mask, reserved bits, an unknown kind, a continuation of nothing, a control frame in pieces, or too long.
        (1002, unmasked),
        (1002, frame(0xc1, b"x")),
        (1002, frame(0x83, b"x")),
        (1002, frame(0x80, b"x")),
        (1002, frame(0x09, b"x")),
        (1002, frame(0x89, &[b'x'; 126])),
        (1002, [frame(0x01, b"x"), frame(0x81, b"x")].concat()),
        // Codes that no frame may have, and half a code.
        (1002, frame(0x88, &1005_u16.to_be_bytes())),
        (1002, frame(0x88, &[3])),
        (1007, frame(0x88, &[3, 232, 0xff])),
    ] {
        let mut client = terminal.attach(&server);
        client.socket.connection.send(&bytes);
        assert_eq!(close_of(client).0, code, "{:?}", &bytes[..bytes.len().min(20)]);
        other.runs("true");
    }
    // The largest message there may be.
    let mut client = terminal.attach(&server);
    client.socket.send(TEXT, vec![b' '; 1 << 20]);
    client.runs("true");
}

/// What a client is closed with.
#[track_caller]
fn close_of(client: Client) -> (u16, String) {
    let mut socket = client.socket;
    loop {
        let heard = socket.hear();
        if heard.kind != TEXT {
            return heard.close();
        }
    }
}

#[test]
fn a_close_is_answered_with_its_own_code() {
    let server = Setup::new().start();
    let (terminal, client) = Terminal::at_prompt(&server);
    let closed = |mut client: Client, payload: &[u8]| {
        client.socket.send(8, payload);
        let mut heard = client.socket.hear();
        while heard.kind == TEXT {
            heard = client.socket.hear();
        }
        client.socket.connection.is_closed();
        heard.payload
    };
    assert_eq!(closed(client, &[]), b"");
    assert_eq!(closed(terminal.attach(&server), &1000_u16.to_be_bytes()), 1000_u16.to_be_bytes());
    assert_eq!(closed(terminal.attach(&server), &4999_u16.to_be_bytes()), 4999_u16.to_be_bytes());
    is_there(&server, &terminal);
}

#[track_caller]
fn is_there(server: &Server, terminal: &Terminal) {
    assert_eq!(terminal.detail(server)["alive"], true);
    assert_eq!(Socket::open(server.pty_port, &terminal.handshake(server)).hear().json()["event"], "started");
}
