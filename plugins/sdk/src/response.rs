//! Good answers.

use crate::bulk::Source;
use crate::{OutBody, Response, Segment};

impl Response {
    /// 200 with a JSON text.
    pub fn json(text: Vec<u8>) -> Self {
        Self::ok(OutBody::Bytes(text))
    }

    /// 200 with bytes of the host. Set `content-type`.
    pub fn source(source: Source) -> Self {
        Self::ok(OutBody::Source(source))
    }

    /// 200 with a JSON text that the host puts together: own bytes and encoded sources by turns.
    pub fn segments(segments: Vec<Segment>) -> Self {
        Self::ok(OutBody::Segments(segments))
    }

    /// A status without a body.
    pub fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: OutBody::None }
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The same with one more header; its name is lower-case.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    fn ok(body: OutBody) -> Self {
        Self { status: 200, headers: Vec::new(), body }
    }
}

#[cfg(test)]
mod tests {
    use crate::{OutBody, Response};

    #[test]
    fn builders_add_up() {
        let response = Response::json(b"{}".to_vec()).with_status(202).with_header("a", "b").with_header("c", "d");
        assert_eq!(response.status, 202);
        assert_eq!(response.headers, [("a".to_owned(), "b".to_owned()), ("c".to_owned(), "d".to_owned())]);
        assert!(matches!(response.body, OutBody::Bytes(bytes) if bytes == b"{}"));
        let empty = Response::empty(304);
        assert!(empty.status == 304 && matches!(empty.body, OutBody::None));
    }
}
