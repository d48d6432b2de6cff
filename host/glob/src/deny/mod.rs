//! Patterns of `paths.deny` (`contract: guards §1`).
//!
//! A pattern is cleaned as text, then its shape decides what it is matched against:
//!
//! | cleaned pattern | matched against |
//! |---|---|
//! | no `/` | every single component of the path |
//! | starts with `/` | the path and each of its ancestors, as whole texts |
//! | other, one leading `**/` cut | the same, the pattern standing anywhere behind a `/` |
//!
//! Ancestors end before `/` itself. Paths are absolute, normalised, and lossy text where they are not UTF-8.

mod clean;
mod form;

use std::fmt;

use thiserror::Error;

use crate::glob::GlobError;
use clean::clean;
use form::Form;

/// One pattern of `paths.deny`, compiled. Cloning is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct DenyPattern {
    written: Box<str>,
    cleaned: Box<str>,
    form: Form,
}

/// Why a text is no deny pattern.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DenyPatternError {
    /// The pattern is empty, or nothing is left of it once `.` and `..` are taken out (`./`, `a/..`).
    #[error("the pattern is empty")]
    Empty,
    /// The pattern holds a NUL character, which no path can.
    #[error("the pattern contains a NUL character")]
    Nul,
    /// The pattern is too large to compile.
    #[error(transparent)]
    Glob(#[from] GlobError),
}

impl DenyPattern {
    /// Cleans and compiles a pattern.
    ///
    /// # Errors
    /// [`DenyPatternError`] for an empty pattern, a NUL, or an absurdly long pattern.
    pub fn parse(text: &str) -> Result<Self, DenyPatternError> {
        if text.contains('\0') {
            return Err(DenyPatternError::Nul);
        }
        let cleaned = clean(text);
        if cleaned.is_empty() {
            return Err(DenyPatternError::Empty);
        }
        let form = Form::compile(&cleaned)?;
        Ok(Self { written: text.into(), cleaned: cleaned.into(), form })
    }

    /// Whether `path`, or an ancestor of it, is denied. `path` is absolute and normalised.
    pub fn matches(&self, path: &str) -> bool {
        self.form.matches(path)
    }

    /// Whether the entry `path` itself is denied, its ancestors left aside: what a walk asks for each child of a
    /// directory that has already passed [`DenyPattern::matches`]. `path` is absolute and normalised.
    pub fn matches_entry(&self, path: &str) -> bool {
        self.form.matches_entry(path)
    }

    /// The pattern as the document has it.
    pub fn as_written(&self) -> &str {
        &self.written
    }

    /// The pattern after cleaning.
    pub fn cleaned(&self) -> &str {
        &self.cleaned
    }

    /// Whether no path can ever match, because a `..` that could not be cleaned away is left (`*/../x`, `../x`).
    /// Normalised paths hold none. Worth a hint to who wrote it.
    pub fn is_unreachable(&self) -> bool {
        self.cleaned.split('/').any(|component| component == "..")
    }
}

impl fmt::Debug for DenyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DenyPattern").field(&self.written).finish()
    }
}

#[cfg(test)]
mod tests;
