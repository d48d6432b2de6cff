//! Running out of descriptors. Alone in its program, since the limit is the process's.

// The exception for tests doesn't reach their helper functions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use abxd_http::{Listener, Settings, raise_descriptor_limit, serve};
use axum::Router;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::time::timeout;

/// Connections that the server may have at a time.
const PLACES: u64 = 3;
const CLIENTS: usize = 20;

fn highest_descriptor() -> u64 {
    let names = std::fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.to_str().unwrap().parse().unwrap()).max().unwrap()
}

#[tokio::test]
async fn all_are_served_although_descriptors_run_out() {
    let original = getrlimit(Resource::Nofile);
    let listener = Listener::bind("127.0.0.1", 0).unwrap();
    let address = listener.local_addr();
    let sockets: Vec<TcpSocket> = (0..CLIENTS).map(|_| TcpSocket::new_v4().unwrap()).collect();
    let low = highest_descriptor() + 1 + PLACES;
    setrlimit(Resource::Nofile, Rlimit { current: Some(low), maximum: original.maximum }).unwrap();

    let router = Router::new().fallback(|| async { "served" });
    let server = tokio::spawn(serve(listener, router, Settings::default(), std::future::pending()));
    let mut clients = Vec::new();
    for socket in sockets {
        let mut stream = socket.connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        clients.push(stream);
    }
    for client in &mut clients {
        let mut status = [0; 12];
        timeout(Duration::from_secs(20), client.read_exact(&mut status)).await.unwrap().unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
    }
    server.abort();

    assert_eq!(raise_descriptor_limit().unwrap(), Some(low), "what was there before");
    assert_eq!(getrlimit(Resource::Nofile).current, original.maximum);
}
