//! Documents that break the grammar.

use abxd_command::CommandPatternError;
use abxd_glob::{DenyPatternError, GlobError};
use thiserror::Error;

use super::suggest::did_you_mean;
use crate::limits::SizeError;
use crate::scope::ScopeError;
use crate::source::{Place, SourceError};

/// Why a text is no policy document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DocumentError {
    /// It cannot be read at all.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It breaks the grammar.
    #[error("{place}: {}{problem}", prefix(.key))]
    Invalid {
        /// Where.
        place: Place,
        /// The keys that lead there, joined by dots (`endpoints.shell.limits.rate_per_minute`); empty at the top.
        key: String,
        /// What is wrong.
        problem: Problem,
    },
}

/// What is wrong with one value or key. Values of `auth` are never repeated in a message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The key means nothing here.
    #[error("unknown key `{key}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownKey {
        /// The key.
        key: String,
        /// A known key that looks like it.
        suggestion: Option<String>,
    },
    /// The value has another type.
    #[error("expected {expected}, found {found}")]
    Type {
        /// What may stand here.
        expected: &'static str,
        /// What stands here.
        found: &'static str,
    },
    /// The word is none of those allowed.
    #[error("unknown value `{found}`, expected one of {choices}{}", did_you_mean(.suggestion.as_deref()))]
    Choice {
        /// The word.
        found: String,
        /// What may stand here.
        choices: String,
        /// An allowed word that looks like it.
        suggestion: Option<String>,
    },
    /// `version` is not the integer 1.
    #[error("the version must be 1")]
    Version,
    /// A number is 0 or less.
    #[error("the number must be above 0")]
    NotPositive,
    /// A number is beyond 64 bits, or no finite number.
    #[error("the number is too large")]
    TooLarge,
    /// A text is empty.
    #[error("the text is empty")]
    Empty,
    /// A text holds a NUL character.
    #[error("the text contains a NUL character")]
    Nul,
    /// A path does not start with `/`.
    #[error("the path must be absolute")]
    NotAbsolute,
    /// The `core` group is switched off.
    #[error("the group `core` cannot be switched off")]
    CoreOff,
    /// A required key is missing.
    #[error("the key `{0}` is missing")]
    Missing(&'static str),
    /// A token has none or both of `token_env` and `token_sha256`.
    #[error("a token needs exactly one of `token_env` and `token_sha256`")]
    TokenSecret,
    /// `token_sha256` is not a digest.
    #[error("expected 64 hexadecimal digits")]
    Digest,
    /// Two tokens have one id.
    #[error("the token id is there already")]
    TokenIdTaken,
    /// Not a scope.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// Not a size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Not a deny pattern.
    #[error(transparent)]
    DenyPattern(#[from] DenyPatternError),
    /// Not a glob.
    #[error(transparent)]
    Glob(#[from] GlobError),
    /// Not a command pattern.
    #[error(transparent)]
    Command(#[from] CommandPatternError),
}

fn prefix(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("{key}: ") }
}
