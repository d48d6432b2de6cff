use std::io;

use thiserror::Error;

/// Why a text is not one JSON object that can be taken. Offsets count bytes from the start of the text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text is JSON perhaps, but its value is an array, a string, a number or a word.
    #[error("expected a JSON object")]
    NotAnObject,
    /// The text ends before the object does. Also: the text is empty.
    #[error("JSON ends too early")]
    Incomplete,
    /// A byte that the grammar doesn't allow where it stands.
    #[error("unexpected byte 0x{byte:02x} at offset {offset}")]
    Unexpected {
        /// The byte.
        byte: u8,
        /// Where it is.
        offset: u64,
    },
    /// Something other than white space follows the object.
    #[error("trailing data at offset {offset}")]
    Trailing {
        /// Where it starts.
        offset: u64,
    },
    /// A raw control character in a string.
    #[error("raw control character in a string at offset {offset}")]
    Control {
        /// Where it is.
        offset: u64,
    },
    /// A string that is not UTF-8.
    #[error("invalid UTF-8 at offset {offset}")]
    Utf8 {
        /// The first byte that can't be part of a character.
        offset: u64,
    },
    /// A backslash with something unknown behind it.
    #[error("invalid escape at offset {offset}")]
    Escape {
        /// The first byte that can't be part of an escape.
        offset: u64,
    },
    /// An escaped surrogate without its other half.
    #[error("lone surrogate escape before offset {offset}")]
    LoneSurrogate {
        /// The first byte at which it was clear.
        offset: u64,
        /// The member of the outermost object that it is in, key escaped as it was written. None: in its key, or the
        /// key is longer than any that somebody looks for.
        member: Option<String>,
    },
    /// A number with a fraction or an exponent that is beyond what a 64-bit float holds.
    #[error("number out of range before offset {offset}")]
    NumberRange {
        /// The first byte behind the number.
        offset: u64,
    },
    /// More arrays and objects inside each other than are taken.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// Levels that are taken, the outermost object included.
        limit: usize,
    },
    /// The member that is kept aside could not be stored.
    #[error("can't keep the body: {0}")]
    Spool(#[source] io::Error),
}
