//! How long the server waits for a client, and what it says then.

use std::sync::Arc;
use std::time::Duration;

use abxd_http::Settings;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};

use crate::rig::{Alive, Rig};

const SHORT: Duration = Duration::from_millis(100);

#[tokio::test]
async fn a_head_that_trickles_in_is_cut_and_told() {
    let rig = Rig::echo(Settings { head_timeout: SHORT, ..Settings::default() });
    let mut client = rig.send("GET / HTTP/1.1\r\nx: ").await;
    let (mut reader, mut writer) = client.stream.split();
    let mut pace = interval(SHORT / 10);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut first = [0; 12];
    tokio::select! {
        read = tokio::io::AsyncReadExt::read_exact(&mut reader, &mut first) => { read.unwrap(); }
        () = async {
            // Ends only when the server has closed.
            while tokio::io::AsyncWriteExt::write_all(&mut writer, b"a").await.is_ok() {
                pace.tick().await;
            }
        } => panic!("closed without an answer"),
    }
    assert_eq!(&first, b"HTTP/1.1 408");
}

#[tokio::test]
async fn a_slow_head_behind_an_answer_is_told_too() {
    let rig = Rig::echo(Settings { head_timeout: SHORT, ..Settings::default() });
    let mut client = rig.send("GET /a HTTP/1.1\r\n\r\nGET /b").await;
    assert_eq!(client.answer().await.body, "GET /a ");
    let answer = client.answer().await;
    assert_eq!((answer.status, answer.header("connection")), (408, Some("close")));
    client.closed().await;
}

#[tokio::test]
async fn a_silent_connection_is_closed_without_a_word() {
    let rig = Rig::echo(Settings { head_timeout: SHORT, ..Settings::default() });
    rig.connect().await.closed().await;
}

#[tokio::test]
async fn an_idle_connection_is_closed_without_a_word() {
    let rig = Rig::echo(Settings { idle_timeout: SHORT, ..Settings::default() });
    let mut client = rig.send("GET /a HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.body, "GET /a ");
    client.closed().await;
}

#[tokio::test]
async fn a_request_in_flight_has_no_time_limit_here() {
    let settings = Settings {
        head_timeout: SHORT / 10,
        idle_timeout: SHORT / 10,
        body_idle_timeout: SHORT / 10,
        write_stall_timeout: SHORT / 10,
        ..Settings::default()
    };
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let rig = Rig::start(settings, move |_| {
        let held = Arc::clone(&held);
        async move {
            held.acquire().await.unwrap().forget();
            "late"
        }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    // Connections with nothing in flight run into their limits meanwhile.
    for _ in 0..3 {
        rig.connect().await.closed().await;
    }
    gate.add_permits(1);
    assert_eq!(client.answer().await.body, "late");
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_cut() {
    let alive = Alive::default();
    let bodies = alive.clone();
    let rig = Rig::start(Settings { write_stall_timeout: SHORT, ..Settings::default() }, move |_| {
        let token = bodies.token();
        async move {
            let endless = futures_util::stream::repeat_with(move || {
                let _ = &token;
                Ok::<_, std::io::Error>(bytes::Bytes::from_static(&[b'x'; 16 * 1024]))
            });
            axum::body::Body::from_stream(endless)
        }
    });
    let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    alive.reaches(1).await;
    alive.reaches(0).await;
    assert!(client.broken().await.is_err(), "an answer that is cut must not look complete");
}
