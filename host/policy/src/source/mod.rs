//! Reading a document's text into a tree, JSON and YAML alike (`contract: policy §1`).
//!
//! The tree keeps what the grammar above it needs and the usual value types lose: where each thing stands, whether a
//! number was written as an integer, whether a YAML word was quoted, and repeated keys, which are errors here.

mod error;
mod json;
mod node;
mod place;
mod repeated;
mod scalar;
mod yaml;

pub use error::SourceError;
pub(crate) use node::{Entry, Node, Number, Value};
pub use place::Place;

/// How deep a document may nest. The grammar needs six levels; the limit keeps recursion over the tree shallow.
const MAX_DEPTH: usize = 64;

/// The two ways to write a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON, UTF-8.
    Json,
    /// YAML 1.2, one document, without aliases and tags.
    Yaml,
}

impl Syntax {
    /// YAML for names that end in `.yaml` or `.yml`, JSON for all others.
    pub fn of_file_name(name: &str) -> Self {
        if name.ends_with(".yaml") || name.ends_with(".yml") { Self::Yaml } else { Self::Json }
    }
}

/// Reads `text`.
pub(crate) fn read(text: &[u8], syntax: Syntax) -> Result<Node, SourceError> {
    let text = std::str::from_utf8(text).map_err(|error| SourceError::Encoding { offset: error.valid_up_to() })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let node = match syntax {
        Syntax::Json => json::read(text)?,
        Syntax::Yaml => yaml::read(text)?,
    };
    repeated::refuse(&node)?;
    Ok(node)
}

#[cfg(test)]
mod tests;
