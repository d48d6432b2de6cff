//! `paths` of a rule.

use abxd_glob::DenyPattern;

use super::at::At;
use super::error::DocumentError;
use crate::rule::Symlinks;

const KEYS: [&str; 4] = ["allow", "deny", "read_only", "symlinks"];

/// What is given of `paths`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PathsSection {
    pub(crate) allow: Option<Vec<String>>,
    pub(crate) deny: Option<Vec<DenyPattern>>,
    pub(crate) read_only: Option<bool>,
    pub(crate) symlinks: Option<Symlinks>,
}

pub(super) fn paths(at: &At<'_>) -> Result<PathsSection, DocumentError> {
    let mut paths = PathsSection::default();
    for field in at.fields()? {
        match field.name {
            "allow" => paths.allow = Some(field.at.list(At::absolute_path)?),
            "deny" => paths.deny = Some(field.at.list(deny_pattern)?),
            "read_only" => paths.read_only = Some(field.at.boolean()?),
            "symlinks" => paths.symlinks = Some(field.at.choice(&Symlinks::NAMES, Symlinks::parse)?),
            _ => return Err(at.unknown(&field, &KEYS)),
        }
    }
    Ok(paths)
}

fn deny_pattern(at: &At<'_>) -> Result<DenyPattern, DocumentError> {
    DenyPattern::parse(at.text()?).map_err(|error| at.error(error))
}
