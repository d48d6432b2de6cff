//! Requests refused before anything could look at them (contract: pipeline §1 step 0). The connection ends with the
//! answer, since what follows on it can't be told from the rest of the bad head.

use std::time::SystemTime;

use http::StatusCode;
use thiserror::Error;

/// Why a request head got no further.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(crate) enum Rejection {
    #[error("malformed request line")]
    RequestLine,
    #[error("the request ended inside its head")]
    Truncated,
    #[error("HTTP version not supported")]
    Version,
    #[error("request line too long")]
    RequestLineTooLong,
    #[error("header line without a colon")]
    MissingColon,
    #[error("malformed header name")]
    HeaderName,
    #[error("folded header line")]
    FoldedHeader,
    #[error("malformed Content-Length")]
    ContentLength,
    #[error("header line too long")]
    HeaderLineTooLong,
    #[error("too many header lines")]
    TooManyHeaders,
    #[error("request head too large")]
    HeadTooLarge,
    /// Whatever the HTTP library refused without an answer of its own.
    #[error("malformed request")]
    Malformed,
    #[error("the request head took too long")]
    SlowHead,
    #[error("the server is stopping")]
    Stopping,
    /// Others wait for its place, and it has been sending its head for a while.
    #[error("too many connections")]
    Crowded,
}

impl Rejection {
    /// Status of the answer (contract: pipeline §2).
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::RequestLine
            | Self::Truncated
            | Self::MissingColon
            | Self::HeaderName
            | Self::FoldedHeader
            | Self::ContentLength
            | Self::Malformed => StatusCode::BAD_REQUEST,
            Self::SlowHead => StatusCode::REQUEST_TIMEOUT,
            Self::RequestLineTooLong => StatusCode::URI_TOO_LONG,
            Self::HeaderLineTooLong | Self::TooManyHeaders | Self::HeadTooLarge => {
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
            }
            Self::Stopping | Self::Crowded => StatusCode::SERVICE_UNAVAILABLE,
            Self::Version => StatusCode::HTTP_VERSION_NOT_SUPPORTED,
        }
    }

    /// The whole answer as it goes on the wire.
    pub(crate) fn answer(self) -> Vec<u8> {
        let body = format!("{{\"error\":\"{self}\"}}");
        format!(
            "HTTP/1.1 {status}\r\nDate: {date}\r\nContent-Type: application/json; charset=utf-8\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}",
            status = self.status(),
            date = httpdate::fmt_http_date(SystemTime::now()),
            length = body.len(),
        )
        .into_bytes()
    }
}
