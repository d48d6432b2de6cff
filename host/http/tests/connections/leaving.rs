//! Clients that leave, wholly or by half.

use std::convert::Infallible;
use std::time::Duration;

use abxd_http::{Peer, Settings};
use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use futures_util::stream;
use tokio::io::AsyncWriteExt;

use crate::rig::{Alive, Rig};

#[tokio::test]
async fn a_client_that_has_said_all_still_gets_its_answer() {
    let rig = Rig::start(Settings::default(), |request: Request| async move {
        // Answered only once the server knows that nothing more will come.
        request.extensions().get::<Peer>().unwrap().left().await;
        "all of it"
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    client.stream.shutdown().await.unwrap();
    assert_eq!(client.answer().await.body, "all of it");
    client.closed().await;
}

#[tokio::test]
async fn pipelined_requests_before_the_end_are_all_answered() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n").await;
    client.stream.shutdown().await.unwrap();
    assert_eq!(client.answer().await.body, "GET /a ");
    assert_eq!(client.answer().await.body, "GET /b ");
    client.closed().await;
}

/// A stream that says nothing until its peer has left, and a comment then.
fn quiet_stream(peer: Peer, alive: &Alive) -> Body {
    let token = alive.token();
    let parts = stream::unfold((peer, false, token), |(peer, told, token)| async move {
        if told {
            std::future::pending::<()>().await;
        }
        peer.left().await;
        Some((Ok::<_, Infallible>(Bytes::from_static(b":\n\n")), (peer, true, token)))
    });
    Body::from_stream(parts)
}

#[tokio::test]
async fn a_stream_whose_client_left_ends_with_its_next_word() {
    let alive = Alive::default();
    let bodies = alive.clone();
    let rig = Rig::start(Settings::default(), move |request: Request| {
        let body = quiet_stream(request.extensions().get::<Peer>().unwrap().clone(), &bodies);
        async move { body }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    client.head().await;
    alive.reaches(1).await;
    drop(client);
    alive.reaches(0).await;
}

#[tokio::test]
async fn a_stream_whose_client_closed_one_side_goes_on() {
    let alive = Alive::default();
    let bodies = alive.clone();
    let rig = Rig::start(Settings::default(), move |request: Request| {
        let body = quiet_stream(request.extensions().get::<Peer>().unwrap().clone(), &bodies);
        async move { body }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    client.head().await;
    client.stream.shutdown().await.unwrap();
    assert_eq!(client.chunk().await, b":\n\n");
    alive.reaches(1).await;
}

#[tokio::test]
async fn a_client_that_breaks_off_an_answer_frees_everything() {
    let alive = Alive::default();
    let bodies = alive.clone();
    let rig = Rig::start(Settings::default(), move |_| {
        let token = bodies.token();
        async move {
            let endless = stream::repeat_with(move || {
                let _ = &token;
                Ok::<_, Infallible>(Bytes::from_static(&[b'x'; 16 * 1024]))
            });
            Body::from_stream(endless)
        }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    client.head().await;
    alive.reaches(1).await;
    drop(client);
    alive.reaches(0).await;
}

#[tokio::test]
async fn a_reset_ends_the_handler() {
    let alive = Alive::default();
    let handlers = alive.clone();
    let rig = Rig::start(Settings::default(), move |_| {
        let token = handlers.token();
        async move {
            std::future::pending::<()>().await;
            drop(token);
        }
    });
    let client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    alive.reaches(1).await;
    client.stream.set_zero_linger().unwrap();
    drop(client);
    alive.reaches(0).await;
}

#[tokio::test]
async fn a_request_that_outlives_its_connection_learns_of_the_end() {
    let (peers, mut received) = tokio::sync::mpsc::channel(1);
    let rig = Rig::start(
        Settings { head_timeout: Duration::from_secs(30), ..Settings::default() },
        move |request: Request| {
            let peers = peers.clone();
            async move {
                peers.send(request.extensions().get::<Peer>().unwrap().clone()).await.unwrap();
                "done"
            }
        },
    );
    let mut client = rig.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").await;
    client.answer().await;
    let peer = received.recv().await.unwrap();
    client.closed().await;
    drop(client);
    crate::rig::within(peer.left()).await;
    assert!(peer.has_left());
}
