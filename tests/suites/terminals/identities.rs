//! Whose a session is (contract: terminal, ownership).

use serde_json::{Value, json};

use super::Terminal;
use super::kit::output;
use crate::harness::socket::handshake;
use crate::harness::{Request, Server, Setup, Socket};

/// Tokens are named as their identities.
const IDENTITIES: [(&str, &str); 4] =
    [("one", "terminal:use"), ("other", "terminal:use"), ("whole-group", "terminal:*"), ("everything", "*")];

fn setup() -> Setup {
    let tokens: Vec<_> = IDENTITIES
        .iter()
        .map(|(id, scope)| json!({"id": id, "token_env": format!("TOKEN_{}", id.replace('-', "_")), "scopes": [scope]}))
        .collect();
    let limits = json!({"pty_create_session": {"limits": {"max_sessions": 3}}});
    let setup = Setup::new().policy(&json!({"auth": {"tokens": tokens}, "endpoints": limits}));
    IDENTITIES.iter().fold(setup, |setup, (id, _)| setup.env(&format!("TOKEN_{}", id.replace('-', "_")), id))
}

fn by(id: &str, method: &str, target: &str) -> Request {
    Request::new(method, target).bearer(id)
}

#[track_caller]
fn open(server: &Server, id: &str) -> Terminal {
    Terminal::of(&server.call(&by(id, "POST", "/pty/sessions")).ok())
}

fn listed(server: &Server, id: &str) -> Vec<String> {
    let sessions = server.call(&by(id, "GET", "/pty/sessions")).ok();
    sessions["sessions"].as_array().unwrap().iter().map(|found| found["id"].as_str().unwrap().to_owned()).collect()
}

fn socket(server: &Server, id: &str, session: &str) -> Socket {
    Socket::open(server.pty_port, &handshake(&format!("/?session_id={session}&token={id}")))
}

/// Everything that can be asked of a session, as answers without what names it.
fn answers(server: &Server, id: &str, session: &str) -> Vec<(u16, Value)> {
    let path = format!("/pty/sessions/{session}");
    let resize = by(id, "POST", &format!("{path}/resize"));
    let requests = [
        by(id, "GET", &path),
        resize.clone().json(&json!({"cols": 5, "rows": 5})),
        resize.json(&json!({"cols": "x"})),
        by(id, "DELETE", &path),
    ];
    let answers = requests.iter().map(|request| server.call(request)).map(|answer| (answer.status, answer.json()));
    let (code, reason) = socket(server, id, session).closes();
    let reason = reason.replace(session, "ID");
    answers.chain([(code, json!(reason))]).collect()
}

#[test]
fn a_session_of_somebody_else_is_not_there() {
    let server = setup().start();
    let terminal = open(&server, "one");
    for id in ["other", "whole-group"] {
        let foreign = answers(&server, id, &terminal.id);
        assert_eq!(foreign, answers(&server, id, "000000000000"), "{id}");
        assert_eq!(foreign.iter().map(|(status, _)| *status).collect::<Vec<_>>(), [404, 404, 404, 404, 1008]);
        assert_eq!(foreign[4].1, "Unknown session: ID");
        assert_eq!(listed(&server, id), [""; 0]);
    }
    assert_eq!(listed(&server, "one"), std::slice::from_ref(&terminal.id));
    assert_eq!(server.call(&by("one", "GET", &terminal.path())).ok()["cols"], 80, "nobody has changed it");
}

#[test]
fn whoever_holds_everything_sees_everything() {
    let server = setup().start();
    let (first, second) = (open(&server, "one"), open(&server, "other"));
    assert_eq!(listed(&server, "everything"), [first.id.clone(), second.id.clone()]);
    let mut seen = socket(&server, "everything", &first.id);
    assert_eq!(seen.hear().json()["event"], "started");
    seen.say(&json!({"type": "input", "data": "echo fr''om everybody\n"}));
    let mut owner = socket(&server, "one", &first.id);
    assert_eq!(owner.hear().json()["event"], "started");
    let mut shown = String::new();
    while !shown.contains("from everybody\r\n") {
        shown += &output(&owner.hear()).unwrap();
    }
    let size = by("everything", "POST", &format!("{}/resize", second.path())).json(&json!({"cols": 9, "rows": 9}));
    assert_eq!(server.call(&size).ok()["cols"], 9);
    server.call(&by("everything", "DELETE", &second.path())).ok();
    assert_eq!(listed(&server, "other"), [""; 0]);
}

/// Also those that have ended: a list drops the ones that its caller sees, and no others.
#[test]
fn a_list_drops_ended_sessions_of_its_caller() {
    let server = setup().start();
    let terminal = open(&server, "one");
    let mut client = socket(&server, "one", &terminal.id);
    client.say(&json!({"type": "input", "data": "exit\n"}));
    while client.hear().json()["event"] != "exited" {}
    listed(&server, "other");
    assert_eq!(server.call(&by("one", "GET", &terminal.path())).ok()["alive"], false);
    assert_eq!(listed(&server, "one"), [""; 0]);
    server.call(&by("one", "GET", &terminal.path())).failed_as(404, "ValueError");
}

/// The caps count the sessions of all.
#[test]
fn the_cap_is_one_for_all() {
    let server = setup().start();
    for id in ["one", "other", "everything"] {
        open(&server, id);
    }
    server.call(&by("one", "POST", "/pty/sessions")).refused(429, "concurrency_limited");
}
