//! The interfaces granted to each group: the command line's, else the policy's.

use std::collections::BTreeMap;

use abxd_plugins::Package;
use abxd_policy::PluginSection;

use super::{AddedError, Source, is_built_in};
use crate::table::CORE;

/// Names of interfaces, by group.
pub(super) type Grants = BTreeMap<String, Vec<String>>;

/// Everything that is granted, once it is sure that each grant is for somebody.
pub(super) fn all(source: &Source, sections: &[PluginSection], packages: &[Package]) -> Result<Grants, AddedError> {
    let mut grants = Grants::new();
    for section in sections {
        let place = "policy: plugins";
        let only_budget = section.file.is_none() && section.grant.is_none();
        if !(only_budget && section.group != CORE && is_built_in(&section.group)) {
            somebody(place, &section.group, packages)?;
        }
        grants.insert(section.group.clone(), section.grant.clone().unwrap_or_default());
    }
    let mut given = Grants::new();
    for text in &source.grants {
        let (group, names) = text.split_once(':').ok_or_else(|| AddedError::GrantForm(text.clone()))?;
        somebody("--grant", group, packages)?;
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        given.entry(group.to_owned()).or_default().extend(names);
    }
    grants.extend(given);
    Ok(grants)
}

fn somebody(place: &'static str, group: &str, packages: &[Package]) -> Result<(), AddedError> {
    if packages.iter().any(|package| package.manifest.group == group) {
        return Ok(());
    }
    let group = group.to_owned();
    if is_built_in(&group) {
        return Err(AddedError::BuiltInGroup { place, group });
    }
    let known: Vec<_> = packages.iter().map(|package| package.manifest.group.as_str()).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(AddedError::NoPlugin { place, group, known })
}
