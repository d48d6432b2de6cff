use std::io;

use thiserror::Error;

/// Why a body is not a form that can be taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormError {
    /// The content type is not `multipart/form-data` with a boundary of 1 to 70 characters.
    #[error("expected multipart/form-data with a boundary")]
    Boundary,
    /// Delimiters or headers are not what they should be.
    #[error("malformed form: {0}")]
    Malformed(#[source] multer::Error),
    /// The body ends before the closing delimiter.
    #[error("form ends too early")]
    Incomplete,
    /// A part has no `Content-Disposition: form-data` that can be read, or no name in it.
    #[error("part {part} has no name")]
    Nameless {
        /// Which part, counted from 0.
        part: usize,
    },
    /// A part has a `Content-Transfer-Encoding` other than `binary`, `8bit` or `7bit`.
    #[error("part {name:?} has a transfer encoding")]
    TransferEncoding {
        /// The part's name.
        name: String,
    },
    /// A text part is not UTF-8.
    #[error("part {name:?} is not UTF-8")]
    NotText {
        /// The part's name.
        name: String,
    },
    /// The text parts are too long together.
    #[error("text parts exceed {limit} bytes")]
    TooMuchText {
        /// The limit in bytes.
        limit: usize,
    },
    /// Too much stands before a part's content, or its names are too long.
    #[error("head of a part exceeds {limit} bytes")]
    HeadTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// Too many parts, or too many files.
    #[error("more than {limit} parts")]
    TooManyParts {
        /// The limit that was passed.
        limit: usize,
    },
    /// A file could not be stored.
    #[error("can't keep the file: {0}")]
    Spool(#[source] io::Error),
}
