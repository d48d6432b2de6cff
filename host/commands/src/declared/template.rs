//! The words of a program, with places for arguments in them.

use serde::Deserialize;
use thiserror::Error;

use crate::argument::{Argument, Kind};
use crate::value::{Value, Values};

/// What stands in `run`: a word, or words that go together.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Part {
    Word(String),
    Group(Vec<String>),
}

/// Why words are no template.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// There are no words.
    #[error("expected the program and its words")]
    Empty,
    /// The program is not fixed.
    #[error("the first word is the program: one word without arguments in it")]
    Program,
    /// A brace without its other half.
    #[error("`{0}`: a brace stands alone; `{{{{` and `}}}}` stand for braces")]
    Brace(String),
    /// A name that no argument has.
    #[error("`{word}`: there is no argument `{name}`")]
    Unknown {
        /// The word.
        word: String,
        /// The name.
        name: String,
    },
    /// A list as a part of a word.
    #[error("`{word}`: `{name}` is a string_array, which is words of its own and no part of one")]
    List {
        /// The word.
        word: String,
        /// The argument.
        name: String,
    },
    /// A NUL character.
    #[error("a word has a NUL character")]
    Nul,
}

/// A program's words, checked.
#[derive(Debug)]
pub(super) struct Template {
    program: String,
    /// Words that go together: all of them are there, or none.
    groups: Vec<Vec<Word>>,
}

#[derive(Debug)]
enum Word {
    /// Pieces that make one word.
    One(Vec<Piece>),
    /// As many words as the list of this argument has items.
    Each(String),
}

#[derive(Debug)]
enum Piece {
    Fixed(String),
    Argument(String),
}

impl Template {
    pub(super) fn new(run: &[Part], arguments: &[Argument]) -> Result<Self, TemplateError> {
        let (program, rest) = run.split_first().ok_or(TemplateError::Empty)?;
        let program = match program {
            Part::Word(word) => Word::parse(word, arguments)?.fixed().ok_or(TemplateError::Program)?,
            Part::Group(_) => return Err(TemplateError::Program),
        };
        let parse = |words: &[String]| words.iter().map(|word| Word::parse(word, arguments)).collect();
        let group = |part: &Part| match part {
            Part::Word(word) => parse(std::slice::from_ref(word)),
            Part::Group(words) => parse(words),
        };
        Ok(Self { program, groups: rest.iter().map(group).collect::<Result<_, _>>()? })
    }

    pub(super) fn program(&self) -> &str {
        &self.program
    }

    /// The words for these values. What needs an argument that is not given is left out.
    pub(super) fn words(&self, values: &Values) -> Vec<String> {
        let groups = self.groups.iter().filter_map(|group| {
            let words = group.iter().map(|word| word.filled(values)).collect::<Option<Vec<_>>>()?;
            Some(words.into_iter().flatten())
        });
        std::iter::once(self.program.clone()).chain(groups.flatten()).collect()
    }
}

impl Word {
    fn parse(word: &str, arguments: &[Argument]) -> Result<Self, TemplateError> {
        if word.contains('\0') {
            return Err(TemplateError::Nul);
        }
        let alone = || TemplateError::Brace(word.to_owned());
        let (mut pieces, mut fixed, mut letters) = (Vec::new(), String::new(), word.chars().peekable());
        while let Some(letter) = letters.next() {
            match letter {
                '{' | '}' if letters.next_if_eq(&letter).is_some() => fixed.push(letter),
                '}' => return Err(alone()),
                '{' => {
                    let name: String = letters.by_ref().take_while(|letter| *letter != '}').collect();
                    let is_closed = word.matches('}').count() > 0 && !name.contains('{');
                    if !is_closed {
                        return Err(alone());
                    }
                    pieces.push(Piece::Fixed(std::mem::take(&mut fixed)));
                    pieces.push(Piece::Argument(name));
                }
                _ => fixed.push(letter),
            }
        }
        pieces.push(Piece::Fixed(fixed));
        pieces.retain(|piece| !matches!(piece, Piece::Fixed(text) if text.is_empty()));
        for piece in &pieces {
            let Piece::Argument(name) = piece else { continue };
            let unknown = || TemplateError::Unknown { word: word.to_owned(), name: name.clone() };
            let argument = arguments.iter().find(|argument| argument.name == *name).ok_or_else(unknown)?;
            if argument.kind == Kind::Texts {
                let is_alone = pieces.len() == 1;
                let list = || TemplateError::List { word: word.to_owned(), name: name.clone() };
                return is_alone.then(|| Self::Each(name.clone())).ok_or_else(list);
            }
        }
        Ok(Self::One(pieces))
    }

    /// The word, if there is no argument in it, and it is not empty.
    fn fixed(&self) -> Option<String> {
        match self {
            Self::One(pieces) => match pieces.as_slice() {
                [Piece::Fixed(text)] => Some(text.clone()),
                _ => None,
            },
            Self::Each(_) => None,
        }
    }

    /// The words that it becomes. None: an argument is not given.
    fn filled(&self, values: &Values) -> Option<Vec<String>> {
        match self {
            Self::Each(name) => match values.get(name)? {
                Value::Texts(texts) => Some(texts.clone()),
                other => Some(vec![text(other)]),
            },
            Self::One(pieces) => {
                let piece = |piece: &Piece| match piece {
                    Piece::Fixed(text) => Some(text.clone()),
                    Piece::Argument(name) => values.get(name).map(text),
                };
                pieces.iter().map(piece).collect::<Option<String>>().map(|word| vec![word])
            }
        }
    }
}

/// A value as a word, or a part of one.
fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Integer(digits) => digits.clone(),
        Value::Float(number) if number.is_nan() => "nan".to_owned(),
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(flag) => flag.to_string(),
        Value::Texts(texts) => texts.join(" "),
    }
}

#[cfg(test)]
mod tests;
