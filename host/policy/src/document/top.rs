//! The top level of a document.

use super::at::At;
use super::error::{DocumentError, Problem};
use super::{Document, Preset, auth, groups, normal, plugins, rule};
use crate::source::{Node, Number, Value};

const KEYS: [&str; 9] =
    ["version", "description", "preset", "base_dir", "groups", "defaults", "auth", "endpoints", "plugins"];

pub(super) fn document(root: &Node) -> Result<Document, DocumentError> {
    let at = At::root(root);
    let mut document = Document::default();
    for field in at.fields()? {
        match field.name {
            "version" => version(&field.at)?,
            "description" => document.description = Some(normal::display_text(field.at.value())),
            "preset" => document.preset = Some(field.at.choice(&Preset::ALL.map(Preset::as_str), Preset::parse)?),
            "base_dir" => document.base_dir = Some(field.at.absolute_path()?),
            "groups" => document.groups = Some(groups::groups(&field.at)?),
            "defaults" => document.defaults = Some(rule::rule(&field.at)?),
            "auth" => document.auth = Some(auth::auth(&field.at)?),
            "endpoints" => document.endpoints = Some(rule::endpoints(&field.at)?),
            "plugins" => document.plugins = Some(plugins::plugins(&field.at)?),
            _ => return Err(at.unknown(&field, &KEYS)),
        }
    }
    Ok(document)
}

/// Only the integer 1: not `true`, `1.0` or `"1"`.
fn version(at: &At<'_>) -> Result<(), DocumentError> {
    match at.value() {
        Value::Number(Number::Integer(1)) => Ok(()),
        _ => Err(at.error(Problem::Version)),
    }
}
