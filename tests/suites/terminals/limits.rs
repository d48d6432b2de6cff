//! How many sessions and clients there may be, and what is written of them (contract: terminal, session model, check 4a).

use serde_json::{Value, json};

use super::Terminal;
use crate::harness::{Server, Setup, Socket, wait};

#[track_caller]
fn is_full(server: &Server) {
    let answer = server.post("/pty/sessions", &json!({}));
    let body = answer.refused(429, "concurrency_limited");
    assert_eq!((&body["type"], &body["retry_after"]), (&json!("RuntimeError"), &json!(1)));
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[test]
fn there_are_ten_sessions_at_most() {
    let policy = json!({"endpoints": {"pty_create_session": {"limits": {"max_sessions": 1000}}}});
    let server = Setup::new().policy(&policy).start();
    let opened: Vec<_> = (0..10).map(|_| Terminal::open(&server)).collect();
    is_full(&server);
    // One that is closed makes room, and so does one that has ended by itself.
    opened[3].close(&server).ok();
    Terminal::open(&server);
    is_full(&server);
    let mut client = opened[7].attach(&server);
    client.types("exit\n");
    client.end();
    Terminal::open(&server);
    is_full(&server);
}

/// Twenty that ask at the same moment.
#[test]
fn a_rule_may_allow_fewer() {
    let policy = json!({"endpoints": {"pty_create_session": {"limits": {"max_sessions": 2}}}});
    let server = Setup::new().policy(&policy).start();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let create = || server.post("/pty/sessions", &json!({})).status;
        let asked: Vec<_> = (0..20).map(|_| scope.spawn(create)).collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(200), count(429)), (2, 18), "{statuses:?}");
}

#[test]
fn attachments_have_a_rate() {
    let policy = json!({"endpoints": {"pty_connect": {"limits": {"rate_per_minute": 2}}}});
    let server = Setup::new().policy(&policy).start();
    let terminal = Terminal::open(&server);
    let _clients = [terminal.attach(&server), terminal.attach(&server)];
    let refused = || Socket::open(server.pty_port, &terminal.handshake(&server)).closes();
    assert_eq!(refused(), (1013, "Try again later".to_owned()));
}

/// A place is free again when its client has left, however it leaves.
#[test]
fn attachments_have_places() {
    let policy = json!({"endpoints": {"pty_connect": {"limits": {"max_concurrency": 1}}}});
    let server = Setup::new().policy(&policy).start();
    let terminal = Terminal::open(&server);
    let refused = || Socket::open(server.pty_port, &terminal.handshake(&server)).closes();
    let comes = || {
        wait::until("there is a place", || {
            let mut socket = Socket::open(server.pty_port, &terminal.handshake(&server));
            (socket.hear().kind == crate::harness::socket::TEXT).then_some(socket)
        })
    };
    let mut client = terminal.attach(&server);
    assert_eq!(refused(), (1013, "Try again later".to_owned()));
    client.socket.say_close(1000);
    assert_eq!(client.socket.hear_close(), (1000, String::new()));
    let dropped = comes();
    assert_eq!(refused().0, 1013);
    drop(dropped);
    comes();
}

/// One line for each attachment, when it ends, with what refused it.
#[test]
fn attachments_are_audited_when_they_end() {
    let policy = json!({"endpoints": {"pty_connect": {"audit": "all"}}});
    let server = Setup::new().with_token().policy(&policy).start();
    let terminal = Terminal::open(&server);
    let client = terminal.attach(&server);
    let refused = |handshake| Socket::open(server.pty_port, &handshake).closes().0;
    assert_eq!(refused(terminal.handshake(&server).without("Authorization")), 4001);
    let unknown = Terminal { id: "nope".to_owned(), pid: 0 };
    assert_eq!(refused(unknown.handshake(&server)), 1008);
    let lines = server.log.audit(2);
    let shown = |line: &Value| {
        let [identity, decision, status, code] = ["identity", "decision", "status", "code"].map(|name| &line[name]);
        json!([line["endpoint"], line["method"], identity, decision, status, code])
    };
    // What refuses decides the line; what was still attached then has none yet.
    let lines: Vec<_> = lines.iter().map(shown).collect();
    assert_eq!(lines[0], json!(["pty_connect", "WS", null, "deny", 401, "unauthorized"]));
    assert_eq!(lines[1], json!(["pty_connect", "WS", "server", "deny", 404, "error"]));
    assert_eq!(lines.len(), 2);
    drop(client);
    let line = shown(&server.log.audit(3)[2]);
    assert_eq!(line, json!(["pty_connect", "WS", "server", "allow", 101, null]));
}
