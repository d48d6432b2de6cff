//! Stopping.

use std::time::Duration;

use abxd_http::Settings;
use tokio::net::TcpStream;

use crate::rig::{Alive, Rig, within};

#[tokio::test]
async fn idle_connections_are_closed_at_once() {
    let mut rig = Rig::echo(Settings { grace: Duration::from_secs(60), ..Settings::default() });
    let mut fresh = rig.connect().await;
    let mut used = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    used.answer().await;
    rig.tell_to_stop();
    fresh.closed().await;
    used.closed().await;
    assert_eq!(rig.stop().await.cut, 0);
}

#[tokio::test]
async fn requests_in_flight_are_answered_and_nothing_new_is_accepted() {
    let alive = Alive::default();
    let handlers = alive.clone();
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    let held = std::sync::Arc::clone(&gate);
    let mut rig = Rig::start(Settings { grace: Duration::from_secs(60), ..Settings::default() }, move |_| {
        let token = handlers.token();
        let held = std::sync::Arc::clone(&held);
        async move {
            held.acquire().await.unwrap().forget();
            drop(token);
            "finished"
        }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    alive.reaches(1).await;
    rig.tell_to_stop();
    within(async { while TcpStream::connect(rig.address).await.is_ok() {} }).await;
    gate.add_permits(1);
    let answer = client.answer().await;
    assert_eq!((answer.body.as_str(), answer.header("connection")), ("finished", Some("close")));
    client.closed().await;
    drop(client);
    assert_eq!(rig.stop().await.cut, 0);
}

#[tokio::test]
async fn what_is_left_after_the_grace_is_cut() {
    let alive = Alive::default();
    let handlers = alive.clone();
    let rig = Rig::start(Settings { grace: Duration::from_millis(50), ..Settings::default() }, move |_| {
        let token = handlers.token();
        async move {
            std::future::pending::<()>().await;
            drop(token);
        }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    alive.reaches(1).await;
    assert_eq!(rig.stop().await.cut, 1);
    alive.reaches(0).await;
    let _ = client.broken().await;
}

#[tokio::test]
async fn a_head_that_has_begun_is_told() {
    let mut rig = Rig::echo(Settings::default());
    let mut other = rig.connect().await;
    let mut client = rig.send("GET / HTT").await;
    // The server takes what came first first, so the head is there once something behind it has been answered.
    other.send("GET / HTTP/1.1\r\n\r\n").await;
    other.answer().await;
    rig.tell_to_stop();
    assert_eq!(client.answer().await.status, 503);
    client.closed().await;
}
