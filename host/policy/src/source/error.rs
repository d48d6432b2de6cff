//! Texts that are no document at all.

use thiserror::Error;

use super::Place;

/// Why a text cannot be read, whatever it would say.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// The bytes are not UTF-8.
    #[error("not UTF-8 text (at byte {offset})")]
    Encoding {
        /// How many bytes are good.
        offset: usize,
    },
    /// The text does not follow JSON's or YAML's syntax, or uses a part of YAML that policies do without.
    #[error("{place}: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong, as the parser says it.
        message: String,
    },
    /// Lists and objects nest beyond any use.
    #[error("{place}: nested too deeply")]
    TooDeep {
        /// Where.
        place: Place,
    },
    /// One object has a key twice.
    #[error("{place}: the key `{key}` is repeated")]
    RepeatedKey {
        /// Where it stands the second time.
        place: Place,
        /// The key.
        key: String,
    },
}
