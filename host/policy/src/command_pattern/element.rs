//! The words of a command pattern, one by one.

use abxd_glob::{Glob, GlobError, has_wildcard};

/// The word that stands for any words.
pub(super) const REST: &str = "...";

/// One word of a pattern (`contract: guards §2`).
#[derive(Debug)]
pub enum Element {
    /// The first word: a glob for the program's word or its last path component.
    Program(Glob),
    /// A word that must be equal.
    Literal(String),
    /// A word with wildcards.
    Glob(WordGlob),
    /// `...`: zero or more words.
    Rest,
    /// `{int}`: one to nine ASCII digits.
    Int,
    /// `{word}`: a plain word.
    Word,
    /// `{path}`: a path, to be judged by the path guard.
    Path,
}

/// A word with wildcards, and what it may match beyond plain words, because the pattern has it itself.
#[derive(Debug)]
pub struct WordGlob {
    /// The glob.
    pub glob: Glob,
    /// Whether a word with a `/` can match.
    pub admits_slash: bool,
    /// Whether a word with `..` in it can match.
    pub admits_dots: bool,
    /// Whether a word that starts with `-` can match.
    pub admits_dash: bool,
}

impl Element {
    /// Reads the first word. One that starts with `{` is literal there.
    pub(super) fn first(word: &str) -> Result<Self, GlobError> {
        Ok(if word == REST {
            Self::Rest
        } else if word.starts_with('{') {
            Self::Literal(word.to_owned())
        } else {
            Self::Program(Glob::new(word)?)
        })
    }

    /// Reads a word that is not the first.
    pub(super) fn other(word: &str) -> Result<Self, GlobError> {
        Ok(match word {
            REST => Self::Rest,
            "{int}" => Self::Int,
            "{word}" => Self::Word,
            "{path}" => Self::Path,
            _ if has_wildcard(word) => Self::Glob(WordGlob {
                glob: Glob::new(word)?,
                admits_slash: word.contains('/'),
                admits_dots: word.contains(".."),
                admits_dash: word.starts_with('-'),
            }),
            _ => Self::Literal(word.to_owned()),
        })
    }
}
