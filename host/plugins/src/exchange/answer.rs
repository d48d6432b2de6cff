//! The answer of a handler, native or component, before HTTP.

use super::{EventStream, Source};

/// A handler's answer or the problem it met.
pub type Outcome = Result<Answer, Problem>;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status as the handler gave it; the edge checks it.
    pub status: u16,
    /// Header names and values as the handler gave them; the edge checks them.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: AnswerBody,
}

/// The body of an [`Answer`].
#[derive(Debug)]
pub enum AnswerBody {
    /// No body.
    Empty,
    /// Bytes that the handler made.
    Bytes(Vec<u8>),
    /// Bytes of the host, written as they are.
    Source(Source),
    /// Pieces one after the other.
    Segments(Vec<Segment>),
    /// Events, written as they come.
    Events(EventStream),
}

/// One piece of a body.
#[derive(Debug)]
pub enum Segment {
    /// Bytes that the handler made.
    Bytes(Vec<u8>),
    /// Bytes of the host as base64 (standard alphabet, padded, one line).
    Base64(Source),
    /// Bytes of the host as the inside of a JSON string: UTF-8 with U+FFFD for bad bytes, escaped, without the quotes.
    JsonText(Source),
    /// Bytes of the host as they are.
    Raw(Source),
}

/// A guard's refusal (contract: guards).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The contract's code, such as `path_not_allowed`.
    pub code: String,
    /// For people.
    pub message: String,
}

/// An error answer of a handler.
#[derive(Debug)]
pub struct Fault {
    /// HTTP status.
    pub status: u16,
    /// The contract's `type`.
    pub kind: String,
    /// The contract's `code`, where there is one.
    pub code: Option<String>,
    /// For people.
    pub message: String,
    /// More members of the body: name and JSON text.
    pub fields: Vec<(String, String)>,
    /// More members that are strings: name, and bytes of the host as in [`Segment::JsonText`].
    pub texts: Vec<(String, Source)>,
    /// More headers.
    pub headers: Vec<(String, String)>,
}

/// Why a handler did not answer as asked.
#[derive(Debug)]
pub enum Problem {
    /// A guard said no.
    Denied(Denial),
    /// The handler's own error.
    Fault(Box<Fault>),
}
