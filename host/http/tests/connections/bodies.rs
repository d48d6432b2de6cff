//! Request bodies: read, unread, late, and asked for.

use std::time::Duration;

use abxd_http::Settings;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::io::AsyncWriteExt;

use crate::rig::{Rig, echo};

/// Answers without a look at the body, except on `/echo`.
async fn refuse(request: Request) -> Response {
    if request.uri().path() == "/echo" { echo(request).await } else { StatusCode::PAYLOAD_TOO_LARGE.into_response() }
}

fn refusing(settings: Settings) -> Rig {
    Rig::start(settings, refuse)
}

#[tokio::test]
async fn a_client_that_writes_first_gets_its_refusal() {
    const SIZE: usize = 12 * 1024 * 1024;
    let rig = refusing(Settings::default());
    let mut client = rig.send(format!("POST / HTTP/1.1\r\nContent-Length: {SIZE}\r\n\r\n")).await;
    client.send(vec![b'x'; SIZE]).await;
    let answer = client.answer().await;
    assert_eq!((answer.status, answer.header("connection")), (413, Some("close")));
    client.closed().await;
}

#[tokio::test]
async fn a_refusal_does_not_wait_for_the_body() {
    let rig = refusing(Settings::default());
    for length in [5, 1024 * 1024, 10 * 1024 * 1024] {
        let mut client = rig.send(format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n")).await;
        assert_eq!(client.answer().await.status, 413, "{length}");
    }
}

#[tokio::test]
async fn a_small_unread_body_keeps_the_connection() {
    let rig = refusing(Settings::default());
    let mut client = rig.connect().await;
    for length in [1, 5, 100_000, 1024 * 1024] {
        for method in ["POST", "GET"] {
            client.send(format!("{method} / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n")).await;
            let answer = client.answer().await;
            assert_eq!((answer.status, answer.header("connection")), (413, None), "{length}");
            client.send(vec![b'x'; length]).await;
        }
        client.send("GET /echo HTTP/1.1\r\n\r\n").await;
        assert_eq!(client.answer().await.body, "GET /echo ", "{length}");
    }
}

#[tokio::test]
async fn an_unread_body_that_does_not_come_ends_the_connection() {
    let settings = Settings { discard_timeout: Duration::from_millis(50), ..Settings::default() };
    let rig = refusing(settings);
    let mut client = rig.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc").await;
    assert_eq!(client.answer().await.status, 413);
    client.closed().await;
}

#[tokio::test]
async fn a_partly_read_body_is_discarded_too() {
    let rig = Rig::start(Settings::default(), |request: Request| async move {
        let mut body = request.into_body();
        http_body_util::BodyExt::frame(&mut body).await.unwrap().unwrap();
        "enough"
    });
    let mut client = rig.send("POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\nx").await;
    assert_eq!(client.answer().await.body, "enough");
    client.send(vec![b'x'; 199_999]).await;
    client.send("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx").await;
    assert_eq!(client.answer().await.body, "enough");
}

#[tokio::test]
async fn only_the_declared_part_is_the_body() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /next HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.body, "POST / ab");
    assert_eq!(client.answer().await.body, "GET /next ");
}

#[tokio::test]
async fn a_large_body_arrives_whole() {
    const SIZE: usize = 10 * 1024 * 1024;
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send(format!("POST / HTTP/1.1\r\nContent-Length: {SIZE}\r\n\r\n")).await;
    client.send(vec![b'x'; SIZE]).await;
    assert_eq!(client.answer().await.body.len(), "POST / ".len() + SIZE);
}

#[tokio::test]
async fn a_body_that_is_read_is_asked_for() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send("POST / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n").await;
    assert_eq!(client.head().await.status, 100);
    client.send("ok").await;
    let answer = client.answer().await;
    assert_eq!((answer.body.as_str(), answer.header("connection")), ("POST / ok", None));
}

#[tokio::test]
async fn a_body_that_is_refused_is_never_asked_for() {
    let rig = refusing(Settings::default());
    for length in [2, 20_000_000] {
        let request = format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\nExpect: 100-Continue\r\n\r\n");
        let mut client = rig.send(request).await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.header("connection")), (413, Some("close")));
        client.closed().await;
    }
}

#[tokio::test]
async fn a_chunked_request_is_the_last_one() {
    let rig = refusing(Settings::default());
    for fields in ["", "Content-Length: 3\r\n"] {
        let request = format!(
            "POST / HTTP/1.1\r\n{fields}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /echo HTTP/1.1\r\n\r\n"
        );
        let mut client = rig.send(request).await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.header("connection")), (413, Some("close")));
        client.closed().await;
    }
}

#[tokio::test]
async fn a_chunked_request_says_so_and_has_no_length() {
    let rig = Rig::start(Settings::default(), |request: Request| async move {
        format!("{:?} {:?}", request.headers().get("transfer-encoding"), request.headers().get("content-length"))
    });
    for fields in ["Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: x"]
    {
        let mut client = rig.send(format!("POST / HTTP/1.1\r\n{fields}\r\n\r\n0\r\n\r\n")).await;
        assert_eq!(client.answer().await.body, "Some(\"chunked\") None");
    }
}

#[tokio::test]
async fn a_body_that_ends_early_is_an_error_that_can_be_answered() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc").await;
    client.stream.shutdown().await.unwrap();
    assert_eq!(client.answer().await.status, 400);
    client.closed().await;
}

#[tokio::test]
async fn a_body_that_stops_coming_is_an_error_that_can_be_answered() {
    let settings = Settings { body_idle_timeout: Duration::from_millis(50), ..Settings::default() };
    let rig = Rig::echo(settings);
    for sent in ["", "abc"] {
        let mut client = rig.send(format!("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n{sent}")).await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.header("connection")), (408, Some("close")));
        client.closed().await;
    }
}

#[tokio::test]
async fn messages_are_told_apart_however_they_are_cut() {
    let lengths = [0, 1, 100, 8_191, 8_192, 8_193, 65_535, 65_536, 65_537, 100_000];
    let requests: Vec<u8> = lengths
        .iter()
        .flat_map(|length| {
            let head = format!("POST /{length} HTTP/1.1\r\nContent-Length: {length}\r\n\r\n");
            head.into_bytes().into_iter().chain(std::iter::repeat_n(b'x', *length))
        })
        .collect();
    let rig = Rig::echo(Settings::default());
    for cut in [37, 1_000, 8_192, 65_537, requests.len()] {
        let mut client = rig.connect().await;
        client.stream.set_nodelay(true).unwrap();
        // The answers are small enough to wait in the socket's buffers.
        for part in requests.chunks(cut) {
            client.send(part).await;
        }
        for length in lengths {
            let answer = client.answer().await;
            assert_eq!(answer.body.len(), format!("POST /{length} ").len() + length, "cut at {cut}");
        }
    }
}
