//! A site of a test's own, at an address that looks public.
//!
//! It listens on every address of the network, so that what the guard fails to stop arrives here, too, and is seen.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The site's public address, its names, and the private address that leads to it.
pub(crate) const PUBLIC: &str = "93.184.216.34";
const NAME: &str = "site.test";
pub(crate) const OTHER_NAME: &str = "other.test";
pub(crate) const PRIVATE: &str = "10.1.2.3";
pub(crate) const PRIVATE_NAME: &str = "private.test";

/// What is answered for a path.
#[derive(Clone)]
pub(crate) enum Reply {
    /// 200 with HTML.
    Html(String),
    /// Status, headers, each with its line end, and body.
    Raw(&'static str, String, String),
    /// 200 with HTML, after a while.
    Slow(Duration, String),
    /// Nothing, until the browser leaves.
    Hang,
    /// The head and the beginning of the body, and then nothing.
    HangAfter(&'static str),
}

#[derive(Default)]
struct Known {
    replies: HashMap<String, Reply>,
    hits: Vec<String>,
}

/// The site. It answers until the program ends.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) port: u16,
    known: Arc<Mutex<Known>>,
}

impl Site {
    /// Begin to answer.
    #[track_caller]
    pub(crate) fn open() -> Self {
        let own_network = TcpListener::bind((PUBLIC, 0)).is_ok() && TcpListener::bind((PRIVATE, 0)).is_ok();
        assert!(own_network, "these tests need a network of their own: `cargo xtask test-browser` makes one");
        let listener = TcpListener::bind(("0.0.0.0", 0)).unwrap();
        let site = Self { port: listener.local_addr().unwrap().port(), known: Arc::default() };
        let serving = site.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let serving = serving.clone();
                std::thread::spawn(move || stream.ok().and_then(|stream| serving.answer(stream)));
            }
        });
        site
    }

    /// What is answered for `path`.
    pub(crate) fn put(&self, path: &str, reply: Reply) {
        self.known.lock().unwrap().replies.insert(path.to_owned(), reply);
    }

    /// HTML for `path`.
    pub(crate) fn html(&self, path: &str, text: &str) {
        self.put(path, Reply::Html(text.to_owned()));
    }

    /// A redirect.
    pub(crate) fn redirect(&self, path: &str, to: &str) {
        self.put(path, Reply::Raw("302 Found", format!("Location: {to}\r\n"), String::new()));
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        self.url_at(NAME, path)
    }

    /// The same, at another name or address.
    pub(crate) fn url_at(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.port)
    }

    /// What was asked for: `METHOD host path body`.
    pub(crate) fn hits(&self) -> Vec<String> {
        self.known.lock().unwrap().hits.clone()
    }

    /// Whether a request was made that has this in its line.
    pub(crate) fn was_asked(&self, part: &str) -> bool {
        self.hits().iter().any(|hit| hit.contains(part))
    }

    fn answer(&self, mut stream: TcpStream) -> Option<()> {
        let mut request = Vec::new();
        let end = loop {
            if let Some(end) = request.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            more(&mut stream, &mut request)?;
        };
        let head = String::from_utf8_lossy(&request[..end]).into_owned();
        let header = |name: &str| {
            let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")))?;
            Some(line[name.len() + 1..].trim().to_owned())
        };
        let length: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
        while request.len() < end + length {
            more(&mut stream, &mut request)?;
        }
        let mut words = head.split(' ');
        let (method, path) = (words.next()?, words.next()?.to_owned());
        let host = header("host").unwrap_or_default();
        let body = String::from_utf8_lossy(&request[end..]).into_owned();
        let reply = {
            let mut known = self.known.lock().unwrap();
            known.hits.push(format!("{method} {host} {path} {body}").trim().to_owned());
            let plain = path.split('?').next().unwrap_or_default();
            known.replies.get(&path).or_else(|| known.replies.get(plain)).cloned()
        };
        let html = |text: &str| whole("200 OK", "Content-Type: text/html; charset=utf-8\r\n", text);
        let bytes = match reply {
            None => whole("404 Not Found", "Content-Type: text/html\r\n", "<title>NF</title>nothing here"),
            Some(Reply::Html(text)) => html(&text),
            Some(Reply::Raw(status, headers, body)) => whole(status, &headers, &body),
            Some(Reply::Slow(time, text)) => {
                std::thread::sleep(time);
                html(&text)
            }
            Some(Reply::Hang) => String::new(),
            Some(Reply::HangAfter(start)) => {
                format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n{start}")
            }
        };
        stream.write_all(bytes.as_bytes()).ok()?;
        if bytes.is_empty() || bytes.contains("Content-Length: 100000") {
            // Until the browser leaves.
            let _ = stream.read(&mut [0; 1]);
        }
        Some(())
    }
}

fn more(stream: &mut TcpStream, request: &mut Vec<u8>) -> Option<()> {
    let mut chunk = [0; 4096];
    let count = stream.read(&mut chunk).ok().filter(|count| *count > 0)?;
    request.extend_from_slice(&chunk[..count]);
    Some(())
}

fn whole(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}
