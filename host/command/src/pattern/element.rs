//! The words of a command pattern, one by one.

use abxd_glob::{Glob, GlobError, has_wildcard};

/// The word that stands for any words.
pub(super) const REST: &str = "...";

/// Most digits of `{int}`.
const MAX_DIGITS: usize = 9;

/// One word of a pattern (`contract: guards §2`).
#[derive(Debug)]
pub(super) enum Element {
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
pub(super) struct WordGlob {
    glob: Glob,
    admits_slash: bool,
    admits_dots: bool,
    admits_dash: bool,
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

    /// Whether the element can stand for this one word.
    pub(super) fn admits(&self, word: &str) -> bool {
        match self {
            Self::Program(glob) => names_program(glob, word),
            Self::Literal(literal) => literal == word,
            Self::Glob(glob) => glob.admits(word),
            Self::Rest => true,
            Self::Int => (1..=MAX_DIGITS).contains(&word.len()) && word.bytes().all(|digit| digit.is_ascii_digit()),
            Self::Word => is_plain_word(word),
            Self::Path => !word.is_empty() && !word.starts_with('-'),
        }
    }
}

impl WordGlob {
    fn admits(&self, word: &str) -> bool {
        (self.admits_slash || !word.contains('/'))
            && (self.admits_dots || !word.contains(".."))
            && (self.admits_dash || !word.starts_with('-'))
            && self.glob.is_match(word)
    }
}

/// Whether `glob` matches the program's word as it is, or its last path component.
pub(super) fn names_program(glob: &Glob, word: &str) -> bool {
    glob.is_match(word) || word.rsplit_once('/').is_some_and(|(_, name)| glob.is_match(name))
}

fn is_plain_word(word: &str) -> bool {
    let is_first = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_';
    let mut letters = word.bytes();
    letters.next().is_some_and(is_first) && letters.all(|letter| is_first(letter) || b".@:+=,-".contains(&letter))
}
