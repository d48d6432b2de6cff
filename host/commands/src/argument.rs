//! What a command takes (`contract: commands §1`).

use serde::Deserialize;
use thiserror::Error;

/// What an argument can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Kind {
    /// Any text.
    #[default]
    #[serde(rename = "string")]
    Text,
    /// An integer of any size.
    #[serde(rename = "integer")]
    Integer,
    /// A float.
    #[serde(rename = "float")]
    Float,
    /// True or false.
    #[serde(rename = "boolean")]
    Boolean,
    /// A list of texts.
    #[serde(rename = "string_array")]
    Texts,
}

/// One argument, as it is declared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(default, rename = "type")]
    pub kind: Kind,
    /// Whether a call has to give it.
    #[serde(default)]
    pub required: bool,
    /// What stands in for it, as text; of a list, its JSON text.
    #[serde(default)]
    pub default: Option<String>,
    /// For people.
    #[serde(default)]
    pub description: String,
}

/// Why an argument can't be declared.
#[derive(Debug, Error)]
pub enum ArgumentError {
    /// It has no name.
    #[error("an argument has no name")]
    Nameless,
    /// Its default is no list.
    #[error("argument `{0}`: the default of a string_array is the JSON text of a list of strings")]
    Default(String),
}

impl Argument {
    /// Whether it can be declared. Defaults of other kinds than lists may be any text.
    ///
    /// # Errors
    /// See [`ArgumentError`].
    pub fn check(&self) -> Result<(), ArgumentError> {
        let is_list = |text: &String| serde_json::from_str::<Vec<String>>(text).is_ok();
        if self.name.is_empty() {
            return Err(ArgumentError::Nameless);
        }
        if self.kind == Kind::Texts && !self.default.as_ref().is_none_or(is_list) {
            return Err(ArgumentError::Default(self.name.clone()));
        }
        Ok(())
    }
}
