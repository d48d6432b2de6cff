//! Whether a document fits the table of endpoints (`contract: policy §4`).

use super::ResolveError;
use crate::catalog::{Catalog, EndpointFacts};
use crate::document::{Document, EndpointEntry, nearest};
use crate::limits::LimitKey;
use crate::params::ParamKey;
use crate::selector::Selector;

/// Every group and endpoint that the document names exists, and rules of single endpoints set only what those have.
pub(super) fn document(catalog: &Catalog, document: &Document) -> Result<(), ResolveError> {
    for entry in document.groups() {
        group(catalog, &entry.name).map_err(|suggestion| ResolveError::UnknownGroup {
            place: entry.place,
            section: "groups",
            group: entry.name.clone(),
            suggestion,
        })?;
    }
    document.endpoints().iter().try_for_each(|entry| endpoint_entry(catalog, entry))
}

/// Whether the group exists; if not, the name that was perhaps meant.
pub(super) fn group(catalog: &Catalog, name: &str) -> Result<(), Option<String>> {
    match catalog.group(name) {
        Some(_) => Ok(()),
        None => Err(nearest(name, catalog.groups().iter().map(|group| group.name.as_str()))),
    }
}

fn endpoint_entry(catalog: &Catalog, entry: &EndpointEntry) -> Result<(), ResolveError> {
    match &entry.selector {
        Selector::Defaults | Selector::Glob(_) => Ok(()),
        Selector::Group(name) => group(catalog, name).map_err(|suggestion| ResolveError::UnknownGroup {
            place: entry.place,
            section: "endpoints",
            group: name.clone(),
            suggestion,
        }),
        Selector::Exact(id) => match catalog.get(id) {
            Some(endpoint) => applies(endpoint, entry),
            None => Err(ResolveError::UnknownEndpoint {
                place: entry.place,
                selector: id.clone(),
                suggestion: nearest(id, catalog.endpoints().iter().map(|endpoint| &*endpoint.id)),
            }),
        },
    }
}

fn applies(endpoint: &EndpointFacts, entry: &EndpointEntry) -> Result<(), ResolveError> {
    let refused = |key: String, accepts: Vec<&'static str>| {
        Err(ResolveError::NotApplicable { place: entry.place, endpoint: endpoint.id.to_string(), key, accepts })
    };
    if entry.rule.paths.is_some() && !endpoint.paths {
        return refused("paths".to_owned(), Vec::new());
    }
    let mut limits = entry.rule.limits.iter().flat_map(|limits| limits.keys());
    if let Some(key) = limits.find(|&key| !endpoint.limits.contains(key)) {
        return refused(format!("limits.{key}"), endpoint.limits.iter().map(LimitKey::as_str).collect());
    }
    let mut params = entry.rule.params.iter().flat_map(|params| params.keys());
    if let Some(key) = params.find(|&key| !endpoint.params.contains(key)) {
        return refused(format!("params.{key}"), endpoint.params.iter().map(ParamKey::as_str).collect());
    }
    Ok(())
}
