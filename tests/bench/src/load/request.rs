//! Requests, rendered once and written any number of times.

use std::net::SocketAddr;

use bytes::Bytes;

/// What a request carries.
#[derive(Clone, Debug)]
pub enum Payload {
    /// Nothing.
    None,
    /// JSON text.
    Json(Bytes),
    /// Raw bytes: `block`, over and over, up to `length` bytes.
    Raw {
        /// What is repeated.
        block: Bytes,
        /// Bytes in all.
        length: u64,
    },
}

impl Payload {
    fn length(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::Json(text) => text.len() as u64,
            Self::Raw { length, .. } => *length,
        }
    }

    fn media_type(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Json(_) => Some("application/json"),
            Self::Raw { .. } => Some("application/octet-stream"),
        }
    }
}

/// A request and the status that it should get.
#[derive(Clone, Debug)]
pub struct Request {
    /// Path and query.
    pub target: String,
    /// The status of the only answer that counts.
    pub expected: u16,
    /// Whether a connection that is reset is made again: a server whose queue is short resets what comes in a burst.
    pub insistent: bool,
    method: &'static str,
    payload: Payload,
}

impl Request {
    /// `GET target`, answered with 200.
    #[must_use]
    pub fn get(target: impl Into<String>) -> Self {
        Self { target: target.into(), expected: 200, insistent: false, method: "GET", payload: Payload::None }
    }

    /// `POST target`, answered with 200.
    #[must_use]
    pub fn post(target: impl Into<String>, payload: Payload) -> Self {
        Self { target: target.into(), expected: 200, insistent: false, method: "POST", payload }
    }

    /// The same, but answered with `expected`.
    #[must_use]
    pub fn answered(mut self, expected: u16) -> Self {
        self.expected = expected;
        self
    }

    /// The same, on a new connection where one is reset. The time that this takes is the request's.
    #[must_use]
    pub fn insistent(mut self) -> Self {
        self.insistent = true;
        self
    }

    /// Bytes that the request carries.
    #[must_use]
    pub fn carries(&self) -> u64 {
        self.payload.length()
    }

    pub(super) fn payload(&self) -> &Payload {
        &self.payload
    }

    /// The head as it goes to `address`, with `token`.
    pub(crate) fn head(&self, address: SocketAddr, token: &str) -> Vec<u8> {
        let Self { method, target, .. } = self;
        let mut head = format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n");
        if let Some(media_type) = self.payload.media_type() {
            head.push_str(&format!("Content-Type: {media_type}\r\nContent-Length: {}\r\n", self.payload.length()));
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{Payload, Request};

    fn text(request: &Request) -> String {
        String::from_utf8(request.head("127.0.0.1:9000".parse().unwrap(), "t")).unwrap()
    }

    #[test]
    fn a_head_says_what_follows() {
        let expected = "GET /health HTTP/1.1\r\nHost: 127.0.0.1:9000\r\nAuthorization: Bearer t\r\n\r\n";
        assert_eq!(text(&Request::get("/health")), expected);
        let raw = Payload::Raw { block: Bytes::from_static(b"abc"), length: 7 };
        let head = text(&Request::post("/upload", raw));
        assert!(head.contains("\r\nContent-Type: application/octet-stream\r\nContent-Length: 7\r\n\r\n"), "{head}");
    }
}
