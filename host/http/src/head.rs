//! Scan of one request head as it arrives: where it ends, how long its body is, and whether it keeps to the limits.
//!
//! The HTTP library parses the head again and stays the judge of what the request means. The scan comes first because
//! the library's buffer has one size for everything, so it can't tell an over-long line from a long head, and because
//! the length of the body must be known to tell one message from the next.

use std::ops::Range;

use crate::rejection::Rejection;
use crate::settings::Settings;

/// Longest stretch looked at while no line has ended, to tell another protocol (TLS, binary) from a slow HTTP client.
const METHOD_PREVIEW: usize = 24;

/// A head that has arrived whole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Bytes from the request line to the empty line, both included.
    pub(crate) length: usize,
    pub(crate) body: Framing,
    /// The request line says HTTP/1.0.
    pub(crate) http10: bool,
    /// Where a `/` is missing in front of a target that is only a query or a fragment.
    pub(crate) bare_target: Option<usize>,
    /// `Upgrade` lines for protocols that are not spoken here.
    pub(crate) foreign_upgrades: Vec<Range<usize>>,
}

/// How the end of the body is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// So many bytes follow the head.
    Length(u64),
    /// There is a `Transfer-Encoding`: such a connection is not used again, so the end need not be found.
    Coded,
}

/// State of a scan over bytes that grow at their end.
#[derive(Debug, Default)]
pub(crate) struct HeadScan {
    /// First byte of the line that has not ended yet.
    line: usize,
    /// Bytes already searched for a line end.
    searched: usize,
    request_line: Option<RequestLine>,
    headers: usize,
    content_length: Option<Range<usize>>,
    conflicting_length: bool,
    coded: bool,
    foreign_upgrades: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct RequestLine {
    http10: bool,
    bare_target: Option<usize>,
}

impl HeadScan {
    /// Goes on with the scan. `bytes` begins with the head and holds everything that was there in the last call.
    /// `None` means that more bytes are needed.
    pub(crate) fn advance(&mut self, bytes: &[u8], limits: &Settings) -> Result<Option<Head>, Rejection> {
        while let Some(found) = memchr::memchr(b'\n', bytes.get(self.searched..).unwrap_or_default()) {
            let end = self.searched + found;
            let start = std::mem::replace(&mut self.line, end + 1);
            self.searched = end + 1;
            if self.line > limits.max_head_bytes {
                return Err(Rejection::HeadTooLarge);
            }
            let line = bytes.get(start..end).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if self.request_line.is_none() {
                if line.len() > limits.max_request_line {
                    return Err(Rejection::RequestLineTooLong);
                }
                self.request_line = Some(RequestLine::parse(line, start)?);
            } else if line.is_empty() {
                return self.finish(bytes).map(Some);
            } else {
                self.header(line, start..end + 1, bytes, limits)?;
            }
        }
        self.searched = bytes.len();
        self.check_unfinished(bytes, limits)?;
        Ok(None)
    }

    /// Limits that a line breaks before it has ended.
    fn check_unfinished(&self, bytes: &[u8], limits: &Settings) -> Result<(), Rejection> {
        let rest = bytes.get(self.line..).unwrap_or_default();
        let length = rest.strip_suffix(b"\r").unwrap_or(rest).len();
        if self.request_line.is_none() {
            if length > limits.max_request_line {
                return Err(Rejection::RequestLineTooLong);
            }
            let mut preview = rest.iter().take(METHOD_PREVIEW).take_while(|byte| **byte != b' ');
            if rest.first() == Some(&b' ') || !preview.all(|byte| is_token(*byte)) {
                return Err(Rejection::RequestLine);
            }
        } else if length > limits.max_header_line {
            return Err(Rejection::HeaderLineTooLong);
        }
        if bytes.len() >= limits.max_head_bytes { Err(Rejection::HeadTooLarge) } else { Ok(()) }
    }

    fn header(&mut self, line: &[u8], whole: Range<usize>, bytes: &[u8], limits: &Settings) -> Result<(), Rejection> {
        if line.len() > limits.max_header_line {
            return Err(Rejection::HeaderLineTooLong);
        }
        self.headers += 1;
        if self.headers > limits.max_headers {
            return Err(Rejection::TooManyHeaders);
        }
        if matches!(line.first(), Some(b' ' | b'\t')) {
            return Err(Rejection::FoldedHeader);
        }
        let colon = memchr::memchr(b':', line).ok_or(Rejection::MissingColon)?;
        let (name, value) = line.split_at_checked(colon).ok_or(Rejection::MissingColon)?;
        if name.is_empty() || !name.iter().copied().all(is_token) {
            return Err(Rejection::HeaderName);
        }
        let value = value.strip_prefix(b":").unwrap_or(value);
        if name.eq_ignore_ascii_case(b"content-length") {
            let from = whole.start + colon + 1;
            let value = trimmed(value);
            self.content_length(from + value.start..from + value.end, bytes);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.coded = true;
        } else if name.eq_ignore_ascii_case(b"upgrade") && !contains_websocket(value) {
            self.foreign_upgrades.push(whole);
        }
        Ok(())
    }

    /// Repeats are fine as long as their text is the same (contract: pipeline §5).
    fn content_length(&mut self, value: Range<usize>, bytes: &[u8]) {
        match &self.content_length {
            None => self.content_length = Some(value),
            Some(first) => self.conflicting_length |= bytes.get(first.clone()) != bytes.get(value),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Result<Head, Rejection> {
        let request_line = self.request_line.ok_or(Rejection::RequestLine)?;
        let body = if self.coded {
            Framing::Coded
        } else if self.conflicting_length {
            return Err(Rejection::ContentLength);
        } else {
            match &self.content_length {
                None => Framing::Length(0),
                Some(value) => {
                    bytes.get(value.clone()).and_then(decimal).map(Framing::Length).ok_or(Rejection::ContentLength)?
                }
            }
        };
        Ok(Head {
            length: self.line,
            body,
            http10: request_line.http10,
            bare_target: request_line.bare_target,
            foreign_upgrades: std::mem::take(&mut self.foreign_upgrades),
        })
    }
}

impl RequestLine {
    fn parse(line: &[u8], start: usize) -> Result<Self, Rejection> {
        let mut words = line.split(|byte| *byte == b' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Rejection::RequestLine);
        };
        if method.is_empty() || target.is_empty() || !method.iter().copied().all(is_token) {
            return Err(Rejection::RequestLine);
        }
        let http10 = match version {
            b"HTTP/1.1" => false,
            b"HTTP/1.0" => true,
            [b'H', b'T', b'T', b'P', b'/', b'0'..=b'9', ..] => return Err(Rejection::Version),
            _ => return Err(Rejection::RequestLine),
        };
        let bare = matches!(target.first(), Some(b'?' | b'#'));
        Ok(Self { http10, bare_target: bare.then_some(start + method.len() + 1) })
    }
}

/// Digits only, and a number that a file could have as its size.
fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    let number = digits.iter().try_fold(0_i64, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })?;
    u64::try_from(number).ok()
}

fn contains_websocket(value: &[u8]) -> bool {
    value.windows(b"websocket".len()).any(|window| window.eq_ignore_ascii_case(b"websocket"))
}

/// Where the text of a header value lies in it.
fn trimmed(value: &[u8]) -> Range<usize> {
    let is_text = |byte: &u8| !matches!(byte, b' ' | b'\t');
    let start = value.iter().position(is_text).unwrap_or(value.len());
    start..value.iter().rposition(is_text).map_or(start, |last| last + 1)
}

/// `tchar` of RFC 9110 §5.6.2.
const TOKEN: u128 = {
    let set = *b"!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest: &[u8] = &set;
    let mut mask = 0;
    while let [byte, tail @ ..] = rest {
        mask |= 1 << *byte;
        rest = tail;
    }
    mask
};

fn is_token(byte: u8) -> bool {
    byte.is_ascii() && TOKEN >> byte & 1 == 1
}

#[cfg(test)]
mod tests;
