//! Patterns of `allow_commands` and `deny_commands` (`contract: guards §2`).

mod element;
mod sequence;

use std::fmt;
use std::sync::Arc;

use abxd_glob::{Glob, GlobError};
use thiserror::Error;

use crate::view::{MatchingView, grouped_flags};
use crate::words::{SplitError, split_words};
use element::{Element, names_program};

/// How often `...` may stand in one pattern.
const MAX_RESTS: usize = 3;

/// A command pattern, read and compiled. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct CommandPattern(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    text: String,
    shape: Shape,
}

/// What a pattern is matched against.
#[derive(Debug)]
enum Shape {
    /// One word: the program alone, by its whole word or its last path component; any arguments.
    Program(Glob),
    /// The whole command line, one word for each element but [`Element::Rest`].
    Words(Vec<Element>),
}

/// Why a text is no command pattern.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandPatternError {
    /// There is no word in it.
    #[error("the pattern is empty")]
    Empty,
    /// It does not split into words.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// `...` stands more than three times.
    #[error("`...` stands more than {MAX_RESTS} times")]
    TooManyRests,
    /// A word is too large to compile.
    #[error(transparent)]
    Glob(#[from] GlobError),
}

impl CommandPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// [`CommandPatternError`], one variant for each rule of `contract: guards §2` that makes a pattern invalid.
    pub fn parse(text: &str) -> Result<Self, CommandPatternError> {
        let words = split_words(text)?;
        let (first, others) = words.split_first().ok_or(CommandPatternError::Empty)?;
        if words.iter().filter(|word| *word == element::REST).count() > MAX_RESTS {
            return Err(CommandPatternError::TooManyRests);
        }
        let shape = match (Element::first(first)?, others) {
            (Element::Program(glob), []) => Shape::Program(glob),
            (first, others) => {
                let others = others.iter().map(|word| Element::other(word));
                Shape::Words(std::iter::once(Ok(first)).chain(others).collect::<Result<_, _>>()?)
            }
        };
        Ok(Self(Arc::new(Parsed { text: text.to_owned(), shape })))
    }

    /// Matches a command line: the words that `{path}` stands for, in order, or `None` when the pattern does not match.
    /// Of those words only the form has been looked at. `...` stands for as few words as possible, which decides what
    /// the elements behind it stand for. Linear in the words, whatever the pattern.
    #[must_use]
    pub fn bind<'v>(&self, view: &MatchingView<'v>) -> Option<Vec<&'v str>> {
        match &self.0.shape {
            Shape::Program(glob) => view.words().first().is_some_and(|word| names_program(glob, word)).then(Vec::new),
            Shape::Words(elements) => sequence::bind(elements, view.words()),
        }
    }

    /// The pattern as the document has it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The words that can never match, because `-lR` is `-l -R` in the view of a command line and patterns are left as
    /// they are (`contract: guards §2`). Worth a hint to who wrote the pattern.
    pub fn grouped_flags(&self) -> impl Iterator<Item = &str> {
        let elements = match &self.0.shape {
            Shape::Program(_) => [].as_slice(),
            Shape::Words(elements) => elements.as_slice(),
        };
        elements.iter().filter_map(|element| match element {
            Element::Literal(word) => grouped_flags(word).map(|_| word.as_str()),
            _ => None,
        })
    }
}

impl PartialEq for CommandPattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for CommandPattern {}

impl fmt::Display for CommandPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
