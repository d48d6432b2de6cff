//! Heads of answers, as far as the generator needs to understand them.

/// What the head of an answer says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// Bytes of the head, its blank line included.
    pub(super) size: usize,
    pub(super) status: u16,
    pub(super) length: Length,
    /// Whether another request may follow on the connection.
    pub(super) keeps_alive: bool,
}

/// How the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// After so many bytes.
    Known(u64),
    /// With the last of its chunks.
    Chunked,
    /// With the connection.
    UntilClosed,
}

/// Read a head. `None`: it is not all there yet.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Option<Head>, &'static str> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let text = bytes.get(..end).and_then(|head| std::str::from_utf8(head).ok()).ok_or("is not text")?;
    let mut lines = text.split("\r\n");
    let (version, status) = lines.next().and_then(|line| line.split_once(' ')).ok_or("has no status line")?;
    let status = status.get(..3).and_then(|status| status.parse().ok()).ok_or("has no status")?;
    let mut length = if matches!(status, 204 | 304) { Length::Known(0) } else { Length::UntilClosed };
    let mut keeps_alive = version == "HTTP/1.1";
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            length = Length::Known(value.parse().map_err(|_| "has a bad Content-Length")?);
        } else if name.eq_ignore_ascii_case("connection") {
            keeps_alive = !value.eq_ignore_ascii_case("close");
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            if !value.eq_ignore_ascii_case("chunked") {
                return Err("announces a coding that no measured answer has");
            }
            length = Length::Chunked;
        }
    }
    Ok(Some(Head { size: end + 4, status, length, keeps_alive: keeps_alive && length != Length::UntilClosed }))
}

#[cfg(test)]
mod tests {
    use super::{Head, Length, read};

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        let head = Head { size: 38, status: 200, length: Length::Known(2), keeps_alive: true };
        assert_eq!(read(whole), Ok(Some(head)));
        for short in 0..38 {
            assert_eq!(read(&whole[..short]), Ok(None), "{short}");
        }
    }

    #[test]
    fn connections_are_kept_only_where_the_server_says_so() {
        for (head, length, keeps_alive) in [
            ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n", Length::Known(2), false),
            ("HTTP/1.0 200 OK\r\n\r\n", Length::UntilClosed, false),
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n", Length::Known(2), false),
            ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n", Length::Known(2), true),
            ("HTTP/1.1 200 OK\r\n\r\n", Length::UntilClosed, false),
            ("HTTP/1.1 304 Not Modified\r\n\r\n", Length::Known(0), true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", Length::Chunked, true),
        ] {
            let read = read(head.as_bytes()).unwrap().unwrap();
            assert_eq!((read.length, read.keeps_alive), (length, keeps_alive), "{head}");
        }
    }

    #[test]
    fn what_is_no_head_is_an_error() {
        for head in [
            "\r\n\r\n",
            "HTTP/1.1\r\n\r\n",
            "HTTP/1.1 x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        ] {
            assert!(read(head.as_bytes()).is_err(), "{head}");
        }
    }
}
