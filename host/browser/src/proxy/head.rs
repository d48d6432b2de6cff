//! Heads of requests and answers: read whole, and changed where a proxy has to (RFC 9110 §7.6, RFC 9112 §3.2).

use std::io;
use std::mem;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Bytes of a head: what Chromium itself takes of an answer's.
const MOST: usize = 256 << 10;

/// Headers that are between two neighbours. Each exchange has a connection of its own here, so `close` takes their place.
const HOP_BY_HOP: [&str; 5] =
    ["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"];

/// The head of a message, with its empty line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head(Vec<u8>);

impl Head {
    /// Reads a head from `stream`; what came behind it stays in `buffer`. None: the stream ended before, and all of it is in
    /// the buffer.
    ///
    /// # Errors
    /// The stream's; `InvalidData` for a head that is too long.
    pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> io::Result<Option<Self>> {
        let mut searched = 0;
        loop {
            if let Some(end) = end_of(buffer, searched) {
                let rest = buffer.split_off(end);
                return Ok(Some(Self(mem::replace(buffer, rest))));
            }
            searched = buffer.len().saturating_sub(3);
            if buffer.len() > MOST {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if stream.read_buf(buffer).await? == 0 {
                return Ok(None);
            }
        }
    }

    /// Method and target of a request of HTTP/1.
    pub(super) fn request(&self) -> Option<(&str, &str)> {
        let mut words = std::str::from_utf8(self.first()).ok()?.split(' ');
        let request = (words.next()?, words.next()?);
        let is_known = words.next()?.starts_with("HTTP/1.") && words.next().is_none();
        is_known.then_some(request)
    }

    /// Status of an answer. None: this is none of HTTP/1.
    pub(super) fn status(&self) -> Option<u16> {
        let line = self.first().strip_prefix(b"HTTP/1.")?;
        std::str::from_utf8(line.get(2..5)?).ok()?.parse().ok()
    }

    /// A header's value.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let line = self.headers().find(|line| self::name(line).eq_ignore_ascii_case(name.as_bytes()))?;
        let (_, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
        Some(value.trim())
    }

    /// The head as a proxy hands it on, `first` in place of its first line where there is one.
    pub(super) fn handed_on(&self, first: Option<&str>) -> Vec<u8> {
        let named = self.value("connection").unwrap_or_default().split(',').map(str::trim);
        let dropped: Vec<_> = HOP_BY_HOP.into_iter().chain(named).collect();
        let is_kept = |line: &&[u8]| !dropped.iter().any(|name| self::name(line).eq_ignore_ascii_case(name.as_bytes()));
        let first = first.map_or_else(|| self.first(), str::as_bytes);
        let last = &b"Connection: close"[..];
        let lines = [first].into_iter().chain(self.headers().filter(is_kept)).chain([last, b""]);
        lines.flat_map(|line| [line, b"\r\n"]).collect::<Vec<_>>().concat()
    }

    /// The head as it came.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn first(&self) -> &[u8] {
        self.lines().next().unwrap_or_default()
    }

    fn headers(&self) -> impl Iterator<Item = &[u8]> {
        self.lines().skip(1).filter(|line| !line.is_empty())
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// What stands before the colon.
fn name(line: &[u8]) -> &[u8] {
    line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii_end()
}

/// Where the empty line ends that ends a head.
fn end_of(text: &[u8], from: usize) -> Option<usize> {
    let mut lines = memchr::memchr_iter(b'\n', text.get(from..)?).map(|at| from + at);
    lines.find_map(|at| match text.get(at + 1..)? {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// The part of an absolute URL that a server is asked for.
pub(super) fn path_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let at = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let path = rest.get(at..)?.split('#').next()?;
    Some(if path.starts_with('/') { path.to_owned() } else { format!("/{path}") })
}

#[cfg(test)]
mod tests {
    use super::{Head, path_of};

    async fn read(mut text: &[u8]) -> (Option<Head>, String) {
        let mut buffer = Vec::new();
        let head = Head::read(&mut text, &mut buffer).await.unwrap();
        (head, String::from_utf8(buffer).unwrap())
    }

    #[tokio::test]
    async fn a_head_ends_at_its_empty_line_whatever_ends_its_lines() {
        for text in [
            "GET http://a/b HTTP/1.1\r\nHost: a\r\nX:  y \r\n\r\nrest",
            "GET http://a/b HTTP/1.1\nHost: a\nX: y\n\nrest",
        ] {
            let (head, rest) = read(text.as_bytes()).await;
            let head = head.unwrap();
            assert_eq!(head.request(), Some(("GET", "http://a/b")));
            assert_eq!((head.value("x"), head.value("z"), &*rest), (Some("y"), None, "rest"));
        }
        assert_eq!(read(b"GET / HTTP/1.1\r\n").await, (None, "GET / HTTP/1.1\r\n".to_owned()));
    }

    #[tokio::test]
    async fn what_is_between_neighbours_is_not_handed_on() {
        let text = "GET http://a/b HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nConnection: x-y, Upgrade\r\nX-Y: 1\r\nUpgrade: h2c\r\nCookie: c\r\n\r\n";
        let head = read(text.as_bytes()).await.0.unwrap();
        let handed_on = String::from_utf8(head.handed_on(Some("GET /b HTTP/1.1"))).unwrap();
        assert_eq!(handed_on, "GET /b HTTP/1.1\r\nHost: a\r\nCookie: c\r\nConnection: close\r\n\r\n");
    }

    #[tokio::test]
    async fn statuses_are_those_of_http_1() {
        for (line, status) in [
            ("HTTP/1.1 200 OK", Some(200)),
            ("HTTP/1.0 404", Some(404)),
            ("HTTP/1.1 20", None),
            ("SSH-2.0-x", None),
            ("", None),
        ] {
            let head = read(format!("{line}\r\n\r\n").as_bytes()).await.0.unwrap();
            assert_eq!(head.status(), status, "{line}");
        }
    }

    #[tokio::test]
    async fn a_head_has_an_end() {
        let mut long = &b"GET / HTTP/1.1\r\nX: "[..]
            .iter()
            .copied()
            .chain(std::iter::repeat_n(b'x', 300 << 10))
            .collect::<Vec<_>>()[..];
        assert!(Head::read(&mut long, &mut Vec::new()).await.is_err());
    }

    #[test]
    fn a_server_is_asked_for_path_and_query() {
        for (url, path) in
            [("http://a", "/"), ("http://a/b?c#d", "/b?c"), ("http://a?c", "/?c"), ("http://u@a:1/x//y", "/x//y")]
        {
            assert_eq!(path_of(url).as_deref(), Some(path), "{url}");
        }
        assert_eq!(path_of("/a"), None);
    }
}
