//! One scope and its syntax.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// A scope in valid syntax: `*`, `ns:*`, `ns:rest` or a single word.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope(Arc<str>);

/// A text that is no scope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a scope: {text:?} (scopes look like `files:read`, `files:*`, `word` or `*`, in lower case)")]
pub struct ScopeError {
    /// The text.
    pub text: String,
}

impl Scope {
    /// Reads a scope; the whole text must match (`contract: policy §2`, scope syntax).
    ///
    /// # Errors
    /// [`ScopeError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, ScopeError> {
        if is_scope(text) { Ok(Self(text.into())) } else { Err(ScopeError { text: text.to_owned() }) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_scope(text: &str) -> bool {
    match text.split_once(':') {
        Some((namespace, rest)) => is_name(namespace, "_") && (rest == "*" || is_name(rest, "_:.-")),
        None => text == "*" || is_name(text, "_.-"),
    }
}

/// A lower-case letter, then lower-case letters, digits and `marks`.
fn is_name(text: &str, marks: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || marks.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_scope() {
        for text in ["*", "a:*", "files:read", "a_1:b", "word", "a.b-c_1", "a:b:c", "a:b.c-d_e"] {
            assert!(Scope::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_none() {
        let texts = [
            "", "A:b", "a:B", "a:1", "a:", "a-b:c", "1a:b", "*:*", "a:b\n", "a\n", " a", "a b", ":a", "a:*x", "a:*:b",
            "é", "**", "a.b:c", "_a", "-a",
        ];
        for text in texts {
            assert_eq!(Scope::parse(text), Err(ScopeError { text: text.to_owned() }), "{text:?}");
        }
    }
}
