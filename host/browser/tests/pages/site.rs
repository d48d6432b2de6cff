//! A site with a reply for each host and path.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What is answered.
#[derive(Clone)]
pub(crate) enum Reply {
    /// 200 with HTML.
    Html(String),
    /// Status, headers, each with its line end, and body.
    Raw(&'static str, String, String),
    /// The same after a while.
    Slow(Duration, String),
    /// Nothing, ever.
    Hang,
    /// The head, and then nothing.
    HangAfter(&'static str),
    /// The end of the connection.
    Close,
}

#[derive(Default)]
struct Known {
    replies: HashMap<String, Reply>,
    hits: Vec<String>,
}

/// The site. Every name leads to it.
#[derive(Clone, Default)]
pub(crate) struct Site(Arc<Mutex<Known>>);

impl Site {
    /// Answers on `listener`, until the runtime ends.
    pub(crate) async fn serve(self, listener: TcpListener) {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let site = self.clone();
            tokio::spawn(async move { site.answer(stream).await });
        }
    }

    /// What `host` answers for `path`.
    pub(crate) fn put(&self, host: &str, path: &str, reply: Reply) {
        self.0.lock().unwrap().replies.insert(format!("{host}{path}"), reply);
    }

    /// `METHOD host/path body` of all requests of hosts that end so.
    pub(crate) fn hits(&self, host: &str) -> Vec<String> {
        let known = self.0.lock().unwrap();
        known.hits.iter().filter(|hit| hit.contains(host) && !hit.contains("favicon")).cloned().collect()
    }

    async fn answer(&self, mut stream: TcpStream) -> Option<()> {
        let mut request = Vec::new();
        let end = loop {
            if let Some(end) = request.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            // The end, or TLS.
            if stream.read_buf(&mut request).await.ok()? == 0 || request.first() == Some(&0x16) {
                return None;
            }
        };
        let head = String::from_utf8_lossy(&request[..end]).into_owned();
        let header = |name: &str| {
            let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")))?;
            Some(line[name.len() + 1..].trim().to_owned())
        };
        let length: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
        while request.len() < end + length {
            stream.read_buf(&mut request).await.ok()?;
        }
        let host = header("host").unwrap_or_default();
        let (method, path) = (head.split(' ').next()?, head.split(' ').nth(1)?.to_owned());
        let reply = {
            let mut known = self.0.lock().unwrap();
            known
                .hits
                .push(format!("{method} {host}{path} {}", String::from_utf8_lossy(&request[end..])).trim().to_owned());
            known.replies.get(&format!("{host}{path}")).cloned()
        };
        if let Some(key) = header("sec-websocket-key") {
            return echo(stream, &key).await;
        }
        let html = |html: &str| raw("200 OK", "Content-Type: text/html; charset=utf-8\r\n", html);
        let answer = match reply {
            None => raw("404 Not Found", "Content-Type: text/html\r\n", "<title>none</title>nothing here"),
            Some(Reply::Html(text)) => html(&text),
            Some(Reply::Raw(status, headers, body)) => raw(status, &headers, &body),
            Some(Reply::Slow(time, text)) => {
                tokio::time::sleep(time).await;
                html(&text)
            }
            Some(Reply::Hang) => std::future::pending().await,
            Some(Reply::HangAfter(start)) => {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n";
                stream.write_all(format!("{head}{start}").as_bytes()).await.ok()?;
                std::future::pending().await
            }
            Some(Reply::Close) => String::new(),
        };
        stream.write_all(answer.as_bytes()).await.ok()
    }
}

fn raw(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
}

/// A WebSocket that says `hello`.
async fn echo(mut stream: TcpStream, key: &str) -> Option<()> {
    let accept = abxd_websocket::handshake::answer_to(key.as_bytes());
    let accept = accept.to_str().unwrap();
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(b"\x81\x05hello").await.ok()?;
    while stream.read_u8().await.is_ok() {}
    Some(())
}
