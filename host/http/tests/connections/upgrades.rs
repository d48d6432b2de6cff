//! Connections that go over to another protocol.

use std::time::Duration;

use abxd_http::Settings;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::rig::{Alive, Rig};

const OFFER: &str = "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

/// Switches, and sends back upper case from then on.
fn shouting(alive: &Alive) -> impl Fn(Request) -> std::future::Ready<Response> + Clone + Send + Sync + 'static {
    let alive = alive.clone();
    move |request: Request| {
        let token = alive.token();
        tokio::spawn(async move {
            let mut io = TokioIo::new(hyper::upgrade::on(request).await.unwrap());
            let mut bytes = [0; 64];
            while let Ok(read @ 1..) = io.read(&mut bytes).await {
                io.write_all(&bytes[..read].to_ascii_uppercase()).await.unwrap();
            }
            drop(token);
        });
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        response.headers_mut().insert("upgrade", "websocket".parse().unwrap());
        std::future::ready(response)
    }
}

#[tokio::test]
async fn bytes_after_the_switch_are_not_http() {
    let alive = Alive::default();
    let rig = Rig::start(Settings { idle_timeout: Duration::from_millis(1), ..Settings::default() }, shouting(&alive));
    // The first words come along with the offer.
    let mut client = rig.send(format!("{OFFER}GET garbage")).await;
    assert_eq!(client.head().await.status, 101);
    assert_eq!(client.exactly(11).await, b"GET GARBAGE");
    client.send("more").await;
    assert_eq!(client.exactly(4).await, b"MORE");
    drop(client);
    alive.reaches(0).await;
}

#[tokio::test]
async fn a_switched_connection_is_cut_after_the_grace() {
    let alive = Alive::default();
    let rig = Rig::start(Settings { grace: Duration::from_millis(50), ..Settings::default() }, shouting(&alive));
    let mut client = rig.send(OFFER).await;
    assert_eq!(client.head().await.status, 101);
    assert_eq!(rig.stop().await.cut, 1);
    alive.reaches(0).await;
    let _ = client.broken().await;
}

#[tokio::test]
async fn a_switched_connection_keeps_its_place_until_it_ends() {
    let alive = Alive::default();
    let rig = Rig::start(Settings { grace: Duration::from_secs(60), ..Settings::default() }, shouting(&alive));
    let mut client = rig.send(OFFER).await;
    assert_eq!(client.head().await.status, 101);
    drop(client);
    assert_eq!(rig.stop().await.cut, 0);
    alive.reaches(0).await;
}

#[tokio::test]
async fn a_refused_switch_leaves_http() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send(OFFER).await;
    assert_eq!(client.answer().await.status, 200);
    client.send("GET /again HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.body, "GET /again ");
}
