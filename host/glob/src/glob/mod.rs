//! A compiled glob.
//!
//! The glob is `fnmatch`'s: code points, `*` and `?` cross `/`, no escapes, no braces, `**` means `*`, anchored,
//! case-sensitive. Three engines carry it:
//!
//! * a text without wildcards, or with a single `*`, is compared: most patterns are such, and guards ask for them once
//!   for each entry of a walk;
//! * literals and several `*` go to `globset`. It works on bytes, which is exact here: a literal's bytes can only match at a
//!   code point's border. What globset would read as syntax of its own is escaped;
//! * `?` and sets go to `regex` in Unicode mode, because globset would take one *byte* for one letter (`?` would not
//!   match `é`).

mod engine;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::pattern;
use engine::Engine;

/// A glob that has been compiled. Cloning shares the compiled form.
#[derive(Clone)]
pub struct Glob {
    text: Arc<str>,
    engine: Arc<Engine>,
}

/// Why a text could not become a [`Glob`]. Every text is a valid glob, so only size is left.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GlobError {
    /// The compiled form would take more memory than the engine allows.
    #[error("the pattern is too large ({length} characters)")]
    TooLarge {
        /// Length of the pattern in code points.
        length: usize,
    },
}

impl Glob {
    /// Compiles `text`.
    ///
    /// # Errors
    /// [`GlobError::TooLarge`] when the pattern is absurdly long; no other text is refused.
    pub fn new(text: &str) -> Result<Self, GlobError> {
        let tokens = pattern::tokens(text);
        let engine =
            Engine::build(text, &tokens).ok_or_else(|| GlobError::TooLarge { length: text.chars().count() })?;
        Ok(Self { text: text.into(), engine: Arc::new(engine) })
    }

    /// Whether the whole of `text` matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.engine.is_match(text)
    }

    /// Whether the glob matches its own text and nothing else, because it has no wildcard.
    pub fn is_literal(&self) -> bool {
        matches!(*self.engine, Engine::Literal(_))
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Glob").field(&self.text).finish()
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Glob {}
