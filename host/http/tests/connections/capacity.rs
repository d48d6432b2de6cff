//! Many connections.

use abxd_http::Settings;

use crate::rig::{Alive, Client, Rig};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[tokio::test]
async fn idle_connections_cost_no_threads() {
    let rig = Rig::echo(Settings::default());
    rig.send("GET / HTTP/1.1\r\n\r\n").await.answer().await;
    let before = threads();
    let mut clients = Vec::new();
    for _ in 0..300 {
        let mut client = rig.send("GET / HTTP/1.1\r\n\r\n").await;
        assert_eq!(client.answer().await.status, 200);
        clients.push(client);
    }
    // Other tests of this program start runtimes of their own; none of them has hundreds of threads.
    assert!(threads() < before + 150);
}

#[tokio::test]
async fn the_longest_idle_connection_makes_room() {
    let rig = Rig::echo(Settings { max_connections: 3, ..Settings::default() });
    let mut clients: Vec<Client> = Vec::new();
    for n in 0..3 {
        let mut client = rig.send(format!("GET /{n} HTTP/1.1\r\n\r\n")).await;
        client.answer().await;
        clients.push(client);
    }
    assert_eq!(rig.send("GET /new HTTP/1.1\r\n\r\n").await.answer().await.body, "GET /new ");
    clients[0].closed().await;
    for client in &mut clients[1..] {
        client.send("GET /old HTTP/1.1\r\n\r\n").await;
        assert_eq!(client.answer().await.body, "GET /old ");
    }
    drop(clients);
    let report = rig.stop().await;
    assert_eq!((report.accepted, report.evicted), (4, 1));
}

/// Whoever only begins requests keeps nobody else out.
#[tokio::test]
async fn a_head_that_takes_long_makes_room() {
    let rig = Rig::echo(Settings { max_connections: 3, ..Settings::default() });
    let mut slow = Vec::new();
    for _ in 0..3 {
        slow.push(rig.send("GET / HT").await);
    }
    assert_eq!(rig.send("GET /new HTTP/1.1\r\n\r\n").await.answer().await.body, "GET /new ");
    let answer = slow[0].answer().await;
    assert_eq!((answer.status, answer.body.as_str()), (503, "{\"error\":\"too many connections\"}"));
    slow[0].closed().await;
    for client in &mut slow[1..] {
        client.send("TP/1.1\r\n\r\n").await;
        assert_eq!(client.answer().await.body, "GET / ");
    }
}

#[tokio::test]
async fn a_new_connection_waits_while_all_are_busy() {
    let alive = Alive::default();
    let handlers = alive.clone();
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    let held = std::sync::Arc::clone(&gate);
    let rig = Rig::start(Settings { max_connections: 2, ..Settings::default() }, move |_| {
        let token = handlers.token();
        let held = std::sync::Arc::clone(&held);
        async move {
            held.acquire().await.unwrap().forget();
            drop(token);
            "served"
        }
    });
    let mut busy = [rig.send("GET / HTTP/1.1\r\n\r\n").await, rig.send("GET / HTTP/1.1\r\n\r\n").await];
    alive.reaches(2).await;
    let mut waiting = rig.send("GET / HTTP/1.1\r\n\r\n").await;
    gate.add_permits(3);
    for client in &mut busy {
        assert_eq!(client.answer().await.body, "served");
    }
    assert_eq!(waiting.answer().await.body, "served");
}
