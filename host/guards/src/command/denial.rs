//! Causes of refusal. No message repeats a word of the command or names a pattern.

use thiserror::Error;

use super::guard::{MAX_CHARACTERS, MAX_WORDS};
use crate::path::PathDenial;

/// Why the guard refuses a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommandDenial {
    /// There is no word in it.
    #[error("the command is empty")]
    Empty,
    /// More than 256 words.
    #[error("the command has more than {MAX_WORDS} words")]
    TooManyWords,
    /// A word is longer than 4096 characters.
    #[error("a word of the command is longer than {MAX_CHARACTERS} characters")]
    TooLong,
    /// A word contains a NUL character.
    #[error("a word of the command contains a NUL character")]
    Nul,
    /// A pattern of the deny list matches.
    #[error("the command is denied")]
    Denied,
    /// No pattern of the allow list matches.
    #[error("the command is not one of those allowed")]
    NotAllowed,
    /// A pattern with `{path}` matches only with grouped flags taken apart, so it is not known which word the command
    /// will take for a path.
    #[error("the command is allowed with its flags given one by one only")]
    GroupedFlags,
    /// An allow list is demanded and there is none.
    #[error("no command is allowed")]
    NoneAllowed,
    /// The path guard refuses a word that stands for `{path}`.
    #[error("argv: {0}")]
    Path(#[from] PathDenial),
}

impl CommandDenial {
    /// The contract's machine code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Empty | Self::TooManyWords | Self::TooLong | Self::Nul => "command_invalid",
            Self::Denied | Self::NotAllowed | Self::GroupedFlags => "command_not_allowed",
            Self::NoneAllowed => "scope_required",
            Self::Path(denial) => denial.code(),
        }
    }
}
