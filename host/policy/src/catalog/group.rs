//! Groups of endpoints.

use super::CatalogError;

/// The group that cannot be switched.
pub const CORE: &str = "core";

/// The built-in groups in the contract's order, and whether each is off until something turns it on
/// (`contract: policy §5`, rank 0).
pub const BUILT_IN_GROUPS: [(&str, bool); 9] = [
    (CORE, false),
    ("commands", false),
    ("file_ops", false),
    ("process", false),
    ("terminal", false),
    ("system", false),
    ("dev_tools", true),
    ("browser", true),
    ("agents", true),
];

/// What is known of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupFacts {
    /// Its name, which stands for all its endpoints.
    pub name: String,
    /// Whether its endpoints are off until something turns them on.
    pub opt_in: bool,
}

/// The built-in groups and then `plugin_groups`.
pub(super) fn all(plugin_groups: Vec<GroupFacts>) -> Result<Vec<GroupFacts>, CatalogError> {
    let built_in = BUILT_IN_GROUPS.iter().map(|&(name, opt_in)| GroupFacts { name: name.to_owned(), opt_in });
    let mut groups: Vec<GroupFacts> = built_in.collect();
    for group in plugin_groups {
        if groups.iter().any(|known| known.name == group.name) {
            return Err(CatalogError::GroupTaken(group.name));
        }
        if !is_name(&group.name) {
            return Err(CatalogError::GroupName(group.name));
        }
        groups.push(group);
    }
    Ok(groups)
}

/// A name that can stand before the `:` of a scope, so that `<group>:use` is one.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}
