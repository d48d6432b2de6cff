//! `plugins`: third-party plugins to load, what each is granted and what each may use; abxd's own addition to the
//! grammar. An object from a plugin's group to `file` (an absolute path), `grant` (names of host interfaces) and `budget`.

use super::at::{At, Field};
use super::budget::{BudgetSection, budget};
use super::error::DocumentError;
use crate::source::Place;

const KEYS: [&str; 3] = ["file", "grant", "budget"];

/// What the document says of one plugin.
#[derive(Debug, Clone, PartialEq)]
pub struct PluginSection {
    /// The plugin's group.
    pub group: String,
    /// Its component file, absolute; `None` for a plugin named on the command line.
    pub file: Option<String>,
    /// The interfaces it is granted; `None` when the document does not say.
    pub grant: Option<Vec<String>>,
    /// What it may use in place of what its manifest says.
    pub budget: Option<BudgetSection>,
    /// Where it stands.
    pub place: Place,
}

/// Which groups and interfaces exist is for the loader to judge.
pub(super) fn plugins(at: &At<'_>) -> Result<Vec<PluginSection>, DocumentError> {
    at.fields()?.map(|field| plugin(&field)).collect()
}

fn plugin(field: &Field<'_>) -> Result<PluginSection, DocumentError> {
    let group = field.name.to_owned();
    let mut plugin = PluginSection { group, file: None, grant: None, budget: None, place: field.place };
    for part in field.at.fields()? {
        match part.name {
            "file" => plugin.file = Some(part.at.absolute_path()?),
            "grant" => plugin.grant = Some(part.at.list(|item| item.non_empty_text().map(str::to_owned))?),
            "budget" => plugin.budget = Some(budget(&part.at)?),
            _ => return Err(field.at.unknown(&part, &KEYS)),
        }
    }
    Ok(plugin)
}
