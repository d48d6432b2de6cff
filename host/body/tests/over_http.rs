//! Unread bodies of the real HTTP library, over a connection in memory.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests")]

use std::convert::Infallible;
use std::future::Future;

use abxd_body::unread::IDLE;
use abxd_body::{BodyError, UnreadBody};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

/// Serve one connection. Each request declares 5 bytes; `handle` tells the answer's text.
fn serve<F: Future<Output = String> + Send + 'static>(handle: fn(UnreadBody) -> F) -> DuplexStream {
    let (client, server) = duplex(64 * 1024);
    let service = service_fn(move |request: Request<Incoming>| async move {
        let text = handle(UnreadBody::new(request.into_body(), 5, IDLE)).await;
        Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(text))))
    });
    tokio::spawn(http1::Builder::new().half_close(true).serve_connection(TokioIo::new(server), service));
    client
}

async fn read(mut body: UnreadBody) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next_chunk().await? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

async fn echo(body: UnreadBody) -> String {
    match read(body).await {
        Ok(bytes) => format!("<{}>", String::from_utf8_lossy(&bytes)),
        Err(error) => format!("<{error:?}>"),
    }
}

/// Read until `end` has come `times` times.
async fn answers(client: &mut DuplexStream, end: &str, times: usize) -> String {
    let mut text = String::new();
    while text.matches(end).count() < times {
        let mut buffer = [0; 1024];
        let read = client.read(&mut buffer).await.unwrap();
        assert!(read > 0, "the connection was closed after {text:?}");
        text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
    }
    text
}

#[tokio::test]
async fn read_body_keeps_the_connection() {
    let mut client = serve(echo);
    for text in ["abcde", "12345"] {
        client.write_all(format!("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n{text}").as_bytes()).await.unwrap();
        assert!(answers(&mut client, ">", 1).await.ends_with(&format!("<{text}>")));
    }
}

#[tokio::test]
async fn pipelined_requests_get_their_own_bodies() {
    let mut client = serve(echo);
    let request = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n";
    client.write_all(format!("{request}abcde{request}12345").as_bytes()).await.unwrap();
    let text = answers(&mut client, ">", 2).await;
    assert!(text.contains("<abcde>") && text.ends_with("<12345>"), "{text}");
}

#[tokio::test]
async fn half_closed_client_gets_its_answer() {
    let mut client = serve(echo);
    client.write_all(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc").await.unwrap();
    client.shutdown().await.unwrap();
    let text = answers(&mut client, ">", 1).await;
    assert!(text.ends_with("<Incomplete { expected: 5, got: 3 }>"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn silent_client_is_given_up() {
    let mut client = serve(echo);
    client.write_all(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc").await.unwrap();
    let text = answers(&mut client, ">", 1).await;
    assert!(text.ends_with("<TooSlow { idle: 30s }>"), "{text}");
}

#[tokio::test]
async fn continue_is_sent_when_the_body_is_asked_for() {
    let mut client = serve(echo);
    client.write_all(b"POST / HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n").await.unwrap();
    assert_eq!(answers(&mut client, "\r\n\r\n", 1).await, "HTTP/1.1 100 Continue\r\n\r\n");
    client.write_all(b"abcde").await.unwrap();
    assert!(answers(&mut client, ">", 1).await.ends_with("<abcde>"));
}
