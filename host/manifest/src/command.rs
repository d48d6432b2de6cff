//! Commands that a component serves besides its endpoints (contract: commands).

use serde::{Deserialize, Serialize};

/// One command as its manifest declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CommandDecl {
    /// What callers call it.
    pub name: String,
    /// Id of the manifest's endpoint under whose rule it runs: it is there only while that is on.
    pub endpoint: String,
    /// For people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether it is left out of lists.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// What a caller must hold. May be empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// What it takes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<ArgumentDecl>,
}

/// One argument of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ArgumentDecl {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(default, rename = "type")]
    pub kind: ArgumentKind,
    /// Whether a call has to give it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    /// What stands in for it, as text; of a list, its JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// What an argument can be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentKind {
    /// Any text.
    #[default]
    String,
    /// An integer of any size.
    Integer,
    /// A float.
    Float,
    /// True or false.
    Boolean,
    /// A list of texts.
    StringArray,
}

impl ArgumentDecl {
    /// Whether its default can be one.
    pub(crate) fn has_fit_default(&self) -> bool {
        let is_list = |text: &String| serde_json::from_str::<Vec<String>>(text).is_ok();
        self.kind != ArgumentKind::StringArray || self.default.as_ref().is_none_or(is_list)
    }
}

const fn is_false(value: &bool) -> bool {
    !*value
}
