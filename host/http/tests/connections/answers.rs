//! What answers look like, and when a connection is used again.

use std::convert::Infallible;
use std::sync::Arc;

use abxd_http::Settings;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream;
use tokio::sync::{Semaphore, mpsc};

use crate::rig::{Rig, within};

/// A streamed answer that the test feeds.
fn streamed(parts: mpsc::Receiver<Result<&'static str, std::io::Error>>) -> Body {
    Body::from_stream(stream::unfold(parts, |mut parts| async move { Some((parts.recv().await?, parts)) }))
}

#[tokio::test]
async fn a_connection_is_used_again_after_any_status() {
    let rig = Rig::start(Settings::default(), |request: Request| async move {
        let status = request.uri().path().trim_start_matches('/').parse::<u16>().unwrap();
        StatusCode::from_u16(status).unwrap()
    });
    let mut client = rig.connect().await;
    for status in [200, 404, 401, 204, 500, 413] {
        client.send(format!("GET /{status} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.version.as_str()), (status, "HTTP/1.1"));
        assert_eq!(answer.header("connection"), None);
        assert!(answer.header("date").is_some());
        assert_eq!(answer.header("server"), None, "the pipeline's");
    }
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let rig = Rig::echo(Settings::default());
    let requests: String = (0..50)
        .map(|n| format!("POST /{n} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{n:02}GET /g{n} HTTP/1.1\r\n\r\n"))
        .collect();
    let mut client = rig.send(requests).await;
    for n in 0..50 {
        assert_eq!(client.answer().await.body, format!("POST /{n} {n:02}"));
        assert_eq!(client.answer().await.body, format!("GET /g{n} "));
    }
}

#[tokio::test]
async fn a_slow_answer_holds_back_the_ones_behind_it() {
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let rig = Rig::start(Settings::default(), move |request: Request| {
        let held = Arc::clone(&held);
        async move {
            if request.uri().path() == "/slow" {
                held.acquire().await.unwrap().forget();
            }
            request.uri().path().to_owned()
        }
    });
    let mut client = rig.send("GET /slow HTTP/1.1\r\n\r\nGET /fast HTTP/1.1\r\n\r\n").await;
    let mut other = rig.send("GET /other HTTP/1.1\r\n\r\n").await;
    assert_eq!(other.answer().await.body, "/other");
    gate.add_permits(1);
    assert_eq!(client.answer().await.body, "/slow");
    assert_eq!(client.answer().await.body, "/fast");
}

#[tokio::test]
async fn connection_close_is_honoured() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n").await;
    let answer = client.answer().await;
    assert_eq!((answer.status, answer.header("connection")), (200, Some("close")));
    client.closed().await;
}

#[tokio::test]
async fn http_1_0_is_answered_and_closed() {
    let rig = Rig::echo(Settings::default());
    for request in ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"] {
        let mut client = rig.send(request).await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.body.as_str()), (200, "GET / "));
        client.closed().await;
    }
}

#[tokio::test]
async fn head_gets_the_headers_only() {
    let rig = Rig::start(Settings::default(), |_| async { "four" });
    let mut client = rig.send("HEAD / HTTP/1.1\r\n\r\n").await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("content-length")), (200, Some("4")));
    client.send("GET / HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.body, "four");
}

#[tokio::test]
async fn a_streams_head_and_parts_leave_at_once() {
    let (parts, source) = mpsc::channel(1);
    let source = Arc::new(std::sync::Mutex::new(Some(source)));
    let rig = Rig::start(Settings::default(), move |_| {
        let source = source.lock().unwrap().take().unwrap();
        async move { Response::new(streamed(source)) }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.head().await.header("transfer-encoding"), Some("chunked"));
    for part in ["one", "two"] {
        parts.send(Ok(part)).await.unwrap();
        assert_eq!(client.chunk().await, part.as_bytes());
    }
    drop(parts);
    assert_eq!(client.chunk().await, b"");
    client.send("GET").await;
}

#[tokio::test]
async fn a_stream_that_fails_has_no_last_chunk() {
    let rig = Rig::start(Settings::default(), |_| async {
        let parts: Vec<Result<Bytes, std::io::Error>> = vec![Ok(Bytes::from("part"))];
        let failing = stream::iter(parts).chain(stream::once(async {
            tokio::task::yield_now().await;
            Err(std::io::Error::other("broke"))
        }));
        Response::new(Body::from_stream(failing))
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    let text = String::from_utf8(client.rest().await).unwrap();
    assert!(text.contains("chunked") && !text.ends_with("0\r\n\r\n"), "{text:?}");
    // Without chunks a clean close would look like the end of the answer.
    let mut old = rig.send("GET / HTTP/1.0\r\n\r\n").await;
    assert!(old.broken().await.is_err());
}

#[tokio::test]
async fn a_panic_is_answered() {
    let rig = Rig::start(Settings::default(), |request: Request| async move {
        assert_ne!(request.uri().path(), "/panic", "on purpose");
        Ok::<_, Infallible>("fine")
    });
    let mut client = rig.send("GET /panic HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.status, 500);
    client.closed().await;
    assert_eq!(rig.send("GET / HTTP/1.1\r\n\r\n").await.answer().await.body, "fine");
}

#[tokio::test]
async fn requests_know_their_peer() {
    let rig = Rig::start(Settings::default(), |request: Request| async move {
        request.extensions().get::<abxd_http::Peer>().unwrap().address().to_string().into_response()
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.body, client.stream.local_addr().unwrap().to_string());
}

#[tokio::test]
async fn a_large_answer_arrives_whole_at_a_slow_reader() {
    const SIZE: usize = 8 * 1024 * 1024;
    let rig = Rig::start(Settings::default(), |_| async { "x".repeat(SIZE) });
    for extra in ["", "Connection: close\r\n", "Upgrade: h2c\r\nConnection: close\r\n"] {
        let mut client = rig.send(format!("GET / HTTP/1.1\r\n{extra}\r\n")).await;
        within(client.stream.readable()).await.unwrap();
        assert_eq!(client.answer().await.body.len(), SIZE, "{extra:?}");
    }
}
