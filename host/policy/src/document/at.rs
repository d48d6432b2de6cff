//! A place in the tree while it is read: the node, and the keys that lead to it.

use super::error::{DocumentError, Problem};
use super::suggest::nearest;
use crate::scope::Scope;
use crate::source::{Node, Number, Place, Value};

/// A node and its key path.
#[derive(Clone)]
pub(super) struct At<'a> {
    node: &'a Node,
    key: String,
}

/// One key of an object.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) place: Place,
    pub(super) at: At<'a>,
}

impl<'a> At<'a> {
    pub(super) fn root(node: &'a Node) -> Self {
        Self { node, key: String::new() }
    }

    pub(super) fn value(&self) -> &'a Value {
        &self.node.value
    }

    pub(super) fn place(&self) -> Place {
        self.node.place
    }

    /// The error that something is wrong here.
    pub(super) fn error(&self, problem: impl Into<Problem>) -> DocumentError {
        DocumentError::Invalid { place: self.node.place, key: self.key.clone(), problem: problem.into() }
    }

    /// The error that the value here has another type.
    pub(super) fn expected(&self, expected: &'static str) -> DocumentError {
        self.error(Problem::Type { expected, found: self.value().kind() })
    }

    /// The error that `field` of the object here is none of `known`.
    pub(super) fn unknown(&self, field: &Field<'_>, known: &[&str]) -> DocumentError {
        let problem =
            Problem::UnknownKey { key: field.name.to_owned(), suggestion: nearest(field.name, known.iter().copied()) };
        DocumentError::Invalid { place: field.place, key: self.key.clone(), problem }
    }

    pub(super) fn fields(&self) -> Result<impl Iterator<Item = Field<'a>> + use<'a>, DocumentError> {
        let Value::Object(entries) = self.value() else { return Err(self.expected("an object")) };
        let parent = self.key.clone();
        Ok(entries.iter().map(move |entry| {
            let key = if parent.is_empty() { entry.key.clone() } else { format!("{parent}.{}", entry.key) };
            Field { name: &entry.key, place: entry.key_place, at: At { node: &entry.node, key } }
        }))
    }

    pub(super) fn items(&self) -> Result<impl Iterator<Item = At<'a>> + use<'a>, DocumentError> {
        let Value::List(items) = self.value() else { return Err(self.expected("a list")) };
        let parent = self.key.clone();
        Ok(items.iter().enumerate().map(move |(index, node)| At { node, key: format!("{parent}[{index}]") }))
    }

    /// Reads every item of a list.
    pub(super) fn list<T>(&self, read: impl Fn(&At<'a>) -> Result<T, DocumentError>) -> Result<Vec<T>, DocumentError> {
        self.items()?.map(|item| read(&item)).collect()
    }

    pub(super) fn text(&self) -> Result<&'a str, DocumentError> {
        match self.value() {
            Value::Text { text, .. } => Ok(text),
            _ => Err(self.expected("a text")),
        }
    }

    pub(super) fn non_empty_text(&self) -> Result<&'a str, DocumentError> {
        match self.text()? {
            "" => Err(self.error(Problem::Empty)),
            text => Ok(text),
        }
    }

    pub(super) fn owned_text(&self) -> Result<String, DocumentError> {
        self.text().map(str::to_owned)
    }

    pub(super) fn absolute_path(&self) -> Result<String, DocumentError> {
        let text = self.text()?;
        if !text.starts_with('/') {
            return Err(self.error(Problem::NotAbsolute));
        }
        if text.contains('\0') {
            return Err(self.error(Problem::Nul));
        }
        Ok(text.to_owned())
    }

    /// A boolean; of YAML's words without quotes also `yes`, `no`, `on` and `off`.
    pub(super) fn boolean(&self) -> Result<bool, DocumentError> {
        match self.value() {
            Value::Bool(flag) => Ok(*flag),
            Value::Text { text, plain: true } => match text.as_str() {
                "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Ok(true),
                "no" | "No" | "NO" | "off" | "Off" | "OFF" => Ok(false),
                _ => Err(self.expected("a boolean")),
            },
            _ => Err(self.expected("a boolean")),
        }
    }

    /// An integer above 0.
    pub(super) fn count(&self) -> Result<u64, DocumentError> {
        match self.value() {
            Value::Number(Number::Integer(number)) => self.positive(*number),
            Value::Number(Number::Huge) => Err(self.error(Problem::TooLarge)),
            _ => Err(self.expected("a whole number")),
        }
    }

    pub(super) fn positive(&self, number: i128) -> Result<u64, DocumentError> {
        if number <= 0 {
            return Err(self.error(Problem::NotPositive));
        }
        number.try_into().map_err(|_| self.error(Problem::TooLarge))
    }

    /// One of a few words.
    pub(super) fn choice<T>(&self, names: &[&str], parse: impl Fn(&str) -> Option<T>) -> Result<T, DocumentError> {
        let text = self.text()?;
        parse(text).ok_or_else(|| {
            self.error(Problem::Choice {
                found: text.to_owned(),
                choices: names.join(", "),
                suggestion: nearest(text, names.iter().copied()),
            })
        })
    }

    pub(super) fn scopes(&self) -> Result<Vec<Scope>, DocumentError> {
        self.list(|item| Scope::parse(item.text()?).map_err(|error| item.error(error)))
    }
}
