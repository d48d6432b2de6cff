//! The opening handshake (RFC 6455 §4.2): whether a request asks for a WebSocket, and the value that the answer proves it
//! with.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CONNECTION, CONTENT_LENGTH, HeaderName, HeaderValue, TRANSFER_ENCODING, UPGRADE};
use http::header::{SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION};
use http::request::Parts;
use http::{HeaderMap, Version};
use sha1::{Digest, Sha1};
use thiserror::Error;

/// What is appended to a key before it is hashed (RFC 6455 §1.3).
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The version of the protocol that is spoken.
pub const VERSION: HeaderValue = HeaderValue::from_static("13");

/// Bytes of a key.
const KEY: usize = 16;

/// Why a request can't be upgraded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HandshakeError {
    /// It doesn't ask for it.
    #[error("this port serves WebSockets only")]
    NotAsked,
    /// It asks for a version of the protocol that is not spoken.
    #[error("only version 13 of the WebSocket protocol is served")]
    Version,
    /// Its key is missing, repeated or malformed.
    #[error("Sec-WebSocket-Key is missing or malformed")]
    Key,
    /// It has a body, which can't be told from the first frames.
    #[error("a WebSocket handshake has no body")]
    Body,
}

/// The value of `Sec-WebSocket-Accept` for a request (a `GET`, which is not looked at here).
///
/// # Errors
/// [`HandshakeError`], the first that holds.
pub fn accept(head: &Parts) -> Result<HeaderValue, HandshakeError> {
    let headers = &head.headers;
    if head.version != Version::HTTP_11
        || !lists(headers, &UPGRADE, "websocket")
        || !lists(headers, &CONNECTION, "upgrade")
    {
        return Err(HandshakeError::NotAsked);
    }
    if headers.get(SEC_WEBSOCKET_VERSION) != Some(&VERSION) {
        return Err(HandshakeError::Version);
    }
    let mut keys = headers.get_all(SEC_WEBSOCKET_KEY).into_iter();
    let (Some(key), None) = (keys.next(), keys.next()) else { return Err(HandshakeError::Key) };
    if STANDARD.decode(key.as_bytes()).map(|bytes| bytes.len()) != Ok(KEY) {
        return Err(HandshakeError::Key);
    }
    let is_empty = |length: &HeaderValue| length.as_bytes().iter().all(|byte| *byte == b'0');
    if headers.contains_key(TRANSFER_ENCODING) || !headers.get_all(CONTENT_LENGTH).iter().all(is_empty) {
        return Err(HandshakeError::Body);
    }
    Ok(answer_to(key.as_bytes()))
}

/// The value of `Sec-WebSocket-Accept` for a key.
#[must_use]
pub fn answer_to(key: &[u8]) -> HeaderValue {
    let digest = Sha1::new().chain_update(key).chain_update(GUID).finalize();
    // Base64 is always fit for a header; were it not, the client would refuse the empty value.
    HeaderValue::try_from(STANDARD.encode(digest)).unwrap_or(HeaderValue::from_static(""))
}

/// Whether a header that is a list of words has this one.
fn lists(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|listed| listed.trim().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::{HandshakeError, accept};

    /// The example of RFC 6455 §1.3.
    const KEY: (&str, &str) = ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    const ASKED: [(&str, &str); 4] =
        [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"), KEY];

    fn outcome(headers: &[(&str, &str)]) -> Result<String, HandshakeError> {
        let mut request = Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        accept(&head).map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_handshake_is_answered_as_the_rfc_shows() {
        assert_eq!(outcome(&ASKED).as_deref(), Ok("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    }

    #[test]
    fn words_are_found_in_lists_and_in_any_case() {
        let headers = [("Upgrade", "h2c, WebSocket"), ("Connection", "keep-alive, Upgrade"), ASKED[2], KEY];
        assert!(outcome(&headers).is_ok());
        let lines = [("Connection", "keep-alive"), ASKED[0], ASKED[1], ASKED[2], KEY];
        assert!(outcome(&lines).is_ok());
    }

    #[test]
    fn what_is_missing_is_told_apart() {
        let without = |name: &str| {
            let rest: Vec<_> = ASKED.into_iter().filter(|(known, _)| *known != name).collect();
            outcome(&rest).unwrap_err()
        };
        assert_eq!(without("Upgrade"), HandshakeError::NotAsked);
        assert_eq!(without("Connection"), HandshakeError::NotAsked);
        assert_eq!(without("Sec-WebSocket-Version"), HandshakeError::Version);
        assert_eq!(without("Sec-WebSocket-Key"), HandshakeError::Key);
    }

    #[test]
    fn a_key_is_sixteen_bytes_and_given_once() {
        for key in ["", "x", "c2hvcnQ=", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZSBub25jZQ=="] {
            let headers = [ASKED[0], ASKED[1], ASKED[2], ("Sec-WebSocket-Key", key)];
            assert_eq!(outcome(&headers), Err(HandshakeError::Key), "{key:?}");
        }
        assert_eq!(outcome(&[ASKED[0], ASKED[1], ASKED[2], KEY, KEY]), Err(HandshakeError::Key));
    }

    #[test]
    fn there_is_no_body() {
        let with = |extra| outcome(&[ASKED[0], ASKED[1], ASKED[2], KEY, extra]);
        assert!(with(("Content-Length", "0")).is_ok());
        assert_eq!(with(("Content-Length", "5")), Err(HandshakeError::Body));
        assert_eq!(with(("Transfer-Encoding", "chunked")), Err(HandshakeError::Body));
    }
}
