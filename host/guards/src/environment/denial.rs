//! Causes of refusal. No message repeats a name or a value.

use thiserror::Error;

/// Why the guard refuses the variables of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EnvDenial {
    /// A name is not a letter or `_` followed by letters, digits and `_`, all of them ASCII.
    #[error("the name of an environment variable is malformed")]
    Name,
    /// A value is no text, or contains a NUL character.
    #[error("the value of an environment variable must be a text without NUL characters")]
    Value,
    /// A name starts with `ABX_`, in any case.
    #[error("an environment variable of the server may not be given")]
    Prefix,
    /// A name matches a pattern of the calling code.
    #[error("this environment variable may not be given")]
    Pattern,
    /// A name that is fixed for the server's own environment: `PATH`, `HOME`, `USER` or `SHELL`. The contract gives this
    /// refusal a type of its own (`PermissionError`).
    #[error("PATH, HOME, USER and SHELL of the server can't be changed")]
    Fixed,
    /// The name of a secret, or one that the rule names.
    #[error("this environment variable is not allowed")]
    NotAllowed,
}

impl EnvDenial {
    /// The contract's machine code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Name | Self::Value => "env_invalid",
            Self::Prefix | Self::Pattern | Self::Fixed => "env_var_denied",
            Self::NotAllowed => "env_var_not_allowed",
        }
    }
}
