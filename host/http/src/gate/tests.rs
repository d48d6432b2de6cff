use tokio::time::Instant;

use super::{Gate, Supply, Verdict, Waiting};
use crate::rejection::Rejection;
use crate::settings::Settings;

fn gate() -> Gate {
    Gate::new(Settings::default())
}

fn feed(gate: &mut Gate, bytes: &[u8]) {
    gate.inbox().extend_from_slice(bytes);
    gate.fed();
}

/// Everything that the library gets in one go.
fn drain(gate: &mut Gate) -> String {
    let mut got = Vec::new();
    while let Supply::Bytes(bytes) = gate.supply() {
        gate.hand_over(bytes, |bytes| got.extend_from_slice(bytes));
        if gate.deadline().is_none() {
            break;
        }
    }
    String::from_utf8(got).unwrap()
}

#[test]
fn half_a_head_is_held_back() {
    let mut gate = gate();
    feed(&mut gate, b"GET / HTTP/1.1\r\nHost:");
    assert_eq!(gate.supply(), Supply::More);
    assert_eq!(gate.deadline().map(|(waiting, _)| waiting), Some(Waiting::Head));
    feed(&mut gate, b" x\r\n\r\n");
    assert_eq!(drain(&mut gate), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_eq!(gate.deadline(), None);
}

#[test]
fn a_read_never_crosses_into_the_next_message() {
    let mut gate = gate();
    feed(&mut gate, b"POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n");
    assert_eq!(drain(&mut gate), "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
    assert_eq!(drain(&mut gate), "GET /b HTTP/1.1\r\n\r\n");
}

#[test]
fn small_reads_get_all_of_a_message() {
    let mut gate = gate();
    let message = "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
    feed(&mut gate, message.as_bytes());
    feed(&mut gate, b"GET /b");
    let mut got = Vec::new();
    for _ in 0..message.len() {
        assert!(matches!(gate.supply(), Supply::Bytes(_)));
        gate.hand_over(1, |bytes| got.extend_from_slice(bytes));
    }
    assert_eq!(got, message.as_bytes());
    assert_eq!(gate.supply(), Supply::More);
}

#[test]
fn heads_are_brought_into_a_form_that_the_library_takes() {
    let mut gate = gate();
    feed(&mut gate, b"GET ?x=1 HTTP/1.1\r\nUpgrade: h2c\r\nA: b\r\nUpgrade: x\r\n\r\n");
    feed(&mut gate, b"GET /b HTTP/1.1\r\n\r\n");
    assert_eq!(drain(&mut gate), "GET /?x=1 HTTP/1.1\r\nA: b\r\n\r\n");
    assert_eq!(drain(&mut gate), "GET /b HTTP/1.1\r\n\r\n");
}

#[test]
fn empty_lines_between_requests_start_no_head() {
    let mut gate = gate();
    assert_eq!(gate.supply(), Supply::More);
    gate.starve();
    let before = gate.deadline();
    feed(&mut gate, b"\r\n\r\n");
    assert_eq!(gate.supply(), Supply::More);
    assert_eq!(gate.deadline(), before);
    assert!(gate.is_idle());
    feed(&mut gate, b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(drain(&mut gate), "GET / HTTP/1.1\r\n\r\n");
}

#[test]
fn an_end_inside_a_head_is_refused_and_one_between_requests_is_not() {
    let mut idle = gate();
    idle.end();
    assert_eq!((idle.supply(), idle.verdict()), (Supply::End, None));
    let mut inside = gate();
    feed(&mut inside, b"GET /");
    inside.end();
    assert_eq!(inside.supply(), Supply::End);
    assert_eq!(inside.verdict(), Some(Verdict::Rejected(Rejection::Truncated)));
}

#[test]
fn a_fresh_connection_waits_shorter_than_an_idle_one() {
    let settings = Settings::default();
    let mut gate = gate();
    let patience = |gate: &Gate| gate.deadline().unwrap().1 - Instant::now();
    assert!(patience(&gate) <= settings.head_timeout);
    feed(&mut gate, b"GET / HTTP/1.1\r\n\r\n");
    drain(&mut gate);
    assert_eq!(gate.supply(), Supply::More);
    gate.starve();
    assert_eq!(gate.deadline().unwrap().0, Waiting::Idle);
    assert!(patience(&gate) > settings.head_timeout && patience(&gate) <= settings.idle_timeout);
}

#[test]
fn a_body_that_stops_coming_is_an_error_and_not_the_end() {
    let mut gate = gate();
    feed(&mut gate, b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na");
    drain(&mut gate);
    assert_eq!(gate.supply(), Supply::More);
    gate.starve();
    assert_eq!(gate.deadline().unwrap().0, Waiting::Body);
    gate.expire(Waiting::Body);
    assert_eq!(gate.supply(), Supply::BodyTimedOut);
}

#[test]
fn room_is_made_between_requests_only() {
    let mut gate = gate();
    feed(&mut gate, b"GET / HTTP/1.1\r\n\r\n");
    drain(&mut gate);
    assert!(!gate.dismiss(), "its answer is on the way");
    assert_eq!(gate.supply(), Supply::More);
    assert!(gate.dismiss());
    assert_eq!((gate.supply(), gate.verdict()), (Supply::End, Some(Verdict::Unused)));
}
