//! The tree of a document.

use super::Place;

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(Number),
    /// `plain` for a YAML word without quotes, which may stand for a boolean where one is expected.
    Text {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    Object(Vec<Entry>),
}

/// A number, integers and floats told apart as they were written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    /// An integer of so many digits that no limit can mean it.
    Huge,
    Float(f64),
}

/// One key of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_place: Place,
    pub(crate) node: Node,
}

impl Number {
    /// Reads an optional sign and decimal digits.
    pub(crate) fn integer(text: &str) -> Self {
        text.parse().map_or(Self::Huge, Self::Integer)
    }
}

impl Value {
    /// What to call it in a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(Number::Float(_)) => "a float",
            Self::Number(_) => "a whole number",
            Self::Text { .. } => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}
