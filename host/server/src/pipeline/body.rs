//! Step 5: the body (contract: pipeline §5).

use abxd_body::unread::IDLE;
use abxd_body::{Declared, JsonError, JsonObject, LengthError, ReadError, UnreadBody, length, read_json};
use abxd_manifest::{Body, Method};
use abxd_plugins::{Endpoint, InBody, Upload};
use axum::body::Body as HttpBody;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{Permit, Refusal};

/// Largest body, in bytes, where the rule sets no limit.
const LIMIT: u64 = 10 << 20;

/// A body that has not been looked at. What is left of it when it is dropped, the connection discards; so it must be
/// dropped before the answer begins.
#[derive(Debug)]
pub(super) struct Pending(HttpBody);

impl Pending {
    /// The body of a request.
    #[must_use]
    pub(super) const fn new(body: HttpBody) -> Self {
        Self(body)
    }

    /// Read the body as the endpoint wants it. The length is judged before a byte is read.
    ///
    /// # Errors
    /// [`Refusal::ContentEncoding`], [`Refusal::TransferEncoding`], [`Refusal::BadLength`], [`Refusal::TooLarge`],
    /// [`Refusal::Json`], [`Refusal::Denied`], [`Refusal::Body`].
    pub(super) async fn receive(self, permit: &Permit, headers: &HeaderMap) -> Result<InBody, Refusal> {
        let declared = &permit.served().entry.declared;
        if declared.uncoded && is_coded(headers) {
            return Err(Refusal::ContentEncoding);
        }
        let size = declared_size(permit, headers)?;
        match declared.body {
            Body::None => Ok(InBody::None),
            Body::Unread => Ok(InBody::Unread(Upload::Unread(self.unread(size)))),
            Body::Json if size == 0 => Ok(InBody::Json(b"{}".to_vec())),
            Body::Json => {
                let read = read_json(self.unread(size), declared.aside.as_deref(), &permit.deployment().spool).await;
                let JsonObject { text, aside } = read.map_err(|cause| refusal(cause, &permit.served().endpoint))?;
                Ok(match aside {
                    Some(aside) => InBody::JsonAside(text, Upload::Aside(aside)),
                    None => InBody::Json(text),
                })
            }
        }
    }

    fn unread(self, size: u64) -> UnreadBody {
        if size == 0 { UnreadBody::empty() } else { UnreadBody::new(self.0, size, IDLE) }
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

/// Whether a coding was applied to the body (contract: file_ops §12.2).
fn is_coded(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(CONTENT_ENCODING).into_iter().map(HeaderValue::as_bytes);
    let mut codings = lines.flat_map(|line| line.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
    !codings.all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case(b"identity"))
}

fn refusal(cause: ReadError<JsonError>, endpoint: &Endpoint) -> Refusal {
    match cause {
        ReadError::Body(cause) => Refusal::Body(cause),
        ReadError::Interrupted | ReadError::Content(JsonError::Spool(_)) => Refusal::Interrupted,
        ReadError::Content(cause) => match endpoint.denial_of(&cause) {
            Some(denial) => Refusal::Denied(denial),
            None => Refusal::Json(cause),
        },
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::is_coded;

    fn coded(lines: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("content-encoding", line.parse().unwrap());
        }
        is_coded(&headers)
    }

    #[test]
    fn only_identity_is_no_coding() {
        for lines in [&[][..], &["identity"], &["Identity "], &[""], &["identity, identity"], &["identity", ""]] {
            assert!(!coded(lines), "{lines:?}");
        }
        for lines in [&["gzip"][..], &["identity, br"], &["identity", "deflate"], &["x"], &["identity;q=1"]] {
            assert!(coded(lines), "{lines:?}");
        }
    }
}
