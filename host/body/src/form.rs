//! A form: `multipart/form-data` (RFC 7578; contract: file_ops §12.1 (c), pipeline §5).

mod boundary;
mod disposition;
mod error;
mod parameters;
mod part;
mod reader;
#[cfg(test)]
mod tests;

pub use error::FormError;
pub use reader::FormReader;

use crate::spool::Spool;

/// Most bytes that the values of the text parts have together (contract: file_ops §12.1).
pub const MAX_TEXT: usize = 64 * 1024;

/// Most parts.
pub const MAX_PARTS: usize = 1000;

/// Most parts that are files: each may hold a descriptor.
pub const MAX_FILES: usize = 64;

/// Most bytes before a part's content: preamble, boundary and headers; also of a name and a file name together.
pub const MAX_HEAD: usize = 16 * 1024;

/// A form that was read.
#[derive(Debug, Default)]
pub struct Form {
    /// The text parts in order: name and value. A name may repeat.
    pub fields: Vec<(String, String)>,
    /// The parts that are files, in order. A name may repeat.
    pub files: Vec<FormFile>,
}

/// One part of a form that is a file.
#[derive(Debug)]
pub struct FormFile {
    /// Name of the part.
    pub name: String,
    /// The file name that the client gave, if any, as it was sent.
    pub filename: Option<String>,
    /// The bytes.
    pub content: Spool,
}
