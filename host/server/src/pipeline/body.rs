//! Step 5: the body (contract: pipeline §5).

use abxd_body::unread::IDLE;
use abxd_body::{Declared, JsonError, JsonObject, LengthError, ReadError, UnreadBody, length, read_json};
use abxd_manifest::{Body, Method};
use abxd_plugins::{InBody, Upload};
use axum::body::Body as HttpBody;
use http::header::{CONTENT_LENGTH, EXPECT, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{Permit, Refusal};

/// Largest body, in bytes, where the rule sets no limit.
const LIMIT: u64 = 10 << 20;

/// A body that has not been looked at. What is left of it when it is dropped, the connection discards; so it must be
/// dropped before the answer begins.
#[derive(Debug)]
pub(super) struct Pending {
    body: HttpBody,
    expects_continue: bool,
}

impl Pending {
    /// The body of a request.
    #[must_use]
    pub(super) fn new(headers: &HeaderMap, body: HttpBody) -> Self {
        let expect = headers.get(EXPECT).map(HeaderValue::as_bytes);
        let expects_continue = expect.is_some_and(|value| value.eq_ignore_ascii_case(b"100-continue"));
        Self { body, expects_continue }
    }

    /// Read the body as the endpoint wants it. The length is judged before a byte is read.
    ///
    /// # Errors
    /// [`Refusal::TransferEncoding`], [`Refusal::BadLength`], [`Refusal::TooLarge`], [`Refusal::Json`],
    /// [`Refusal::Body`].
    pub(super) async fn receive(self, permit: &Permit, headers: &HeaderMap) -> Result<InBody, Refusal> {
        let declared = &permit.served().entry.declared;
        let size = declared_size(permit, headers)?;
        match declared.body {
            Body::None => Ok(InBody::None),
            Body::Unread => Ok(InBody::Unread(Upload::Unread(self.unread(size)))),
            Body::Json if size == 0 => Ok(InBody::Json(b"{}".to_vec())),
            Body::Json => {
                let read = read_json(self.unread(size), declared.aside.as_deref(), &permit.deployment().spool).await;
                let JsonObject { text, aside } = read.map_err(Refusal::from)?;
                Ok(match aside {
                    Some(aside) => InBody::JsonAside(text, Upload::Aside(aside)),
                    None => InBody::Json(text),
                })
            }
        }
    }

    fn unread(self, size: u64) -> UnreadBody {
        if size == 0 {
            return UnreadBody::empty();
        }
        let unread = UnreadBody::new(self.body, size, IDLE);
        if self.expects_continue { unread.expecting_continue() } else { unread }
    }
}

fn declared_size(permit: &Permit, headers: &HeaderMap) -> Result<u64, Refusal> {
    let reads = matches!(permit.served().entry.declared.method, Method::Post | Method::Put | Method::Delete);
    let limit = permit.rule().limits().max_request_bytes().unwrap_or(LIMIT);
    let values = |name: HeaderName| headers.get_all(name).into_iter().map(HeaderValue::as_bytes);
    let declared = length::declared(values(TRANSFER_ENCODING), values(CONTENT_LENGTH), reads, limit);
    match declared {
        Ok(Declared::None) => Ok(0),
        Ok(Declared::Length(size)) => Ok(size),
        Err(LengthError::TransferEncoding) => Err(Refusal::TransferEncoding),
        Err(LengthError::BadLength) => Err(Refusal::BadLength),
        Err(LengthError::TooLarge { limit }) => Err(Refusal::TooLarge { limit }),
    }
}

impl From<ReadError<JsonError>> for Refusal {
    fn from(error: ReadError<JsonError>) -> Self {
        match error {
            ReadError::Body(cause) => Self::Body(cause),
            ReadError::Interrupted | ReadError::Content(JsonError::Spool(_)) => Self::Interrupted,
            ReadError::Content(cause) => Self::Json(cause),
        }
    }
}
