//! Rules: what `defaults` and each selector of `endpoints` say.

use super::at::{At, Field};
use super::error::DocumentError;
use super::paths::{self, PathsSection};
use super::{limits, params};
use crate::limits::Limits;
use crate::params::Params;
use crate::rule::AuditMode;
use crate::scope::Scope;
use crate::selector::Selector;
use crate::source::Place;

const KEYS: [&str; 6] = ["enabled", "scopes", "audit", "paths", "limits", "params"];

/// What is given of a rule.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RuleSection {
    pub(crate) enabled: Option<bool>,
    pub(crate) scopes: Option<Vec<Scope>>,
    pub(crate) audit: Option<AuditMode>,
    pub(crate) paths: Option<PathsSection>,
    pub(crate) limits: Option<Limits>,
    pub(crate) params: Option<Params>,
}

impl RuleSection {
    /// The rule that only switches.
    pub(crate) fn switch(enabled: bool) -> Self {
        Self { enabled: Some(enabled), ..Self::default() }
    }
}

/// One selector and its rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EndpointEntry {
    pub(crate) text: String,
    pub(crate) selector: Selector,
    pub(crate) rule: RuleSection,
    pub(crate) place: Place,
}

/// `endpoints`. Which selectors select anything is judged later, against the catalog.
pub(super) fn endpoints(at: &At<'_>) -> Result<Vec<EndpointEntry>, DocumentError> {
    let entry = |field: Field<'_>| {
        Ok(EndpointEntry {
            text: field.name.to_owned(),
            selector: Selector::parse(field.name).map_err(|error| field.at.error(error))?,
            rule: rule(&field.at)?,
            place: field.place,
        })
    };
    at.fields()?.map(entry).collect()
}

pub(super) fn rule(at: &At<'_>) -> Result<RuleSection, DocumentError> {
    let mut rule = RuleSection::default();
    for field in at.fields()? {
        match field.name {
            "enabled" => rule.enabled = Some(field.at.boolean()?),
            "scopes" => rule.scopes = Some(field.at.scopes()?),
            "audit" => rule.audit = Some(field.at.choice(&AuditMode::NAMES, AuditMode::parse)?),
            "paths" => rule.paths = Some(paths::paths(&field.at)?),
            "limits" => rule.limits = Some(limits::limits(&field.at)?),
            "params" => rule.params = Some(params::params(&field.at)?),
            _ => return Err(at.unknown(&field, &KEYS)),
        }
    }
    Ok(rule)
}
