//! What decides about endpoints besides the document.

/// The variable that names groups to enable.
pub const GROUPS_VARIABLE: &str = "ABX_SERVER_ENABLED_GROUPS";

/// A group that a commands file turns on or off (`contract: commands §5`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupSwitch {
    /// The group's name.
    pub group: String,
    /// On or off.
    pub enabled: bool,
}

/// Everything that resolution takes besides the catalog and the document.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs<'a> {
    /// Switches of commands files in the order they were made. A later one of a group replaces an earlier one.
    pub code: &'a [GroupSwitch],
    /// The text of `ABX_SERVER_ENABLED_GROUPS`, empty when it is not set.
    pub enabled_groups: &'a str,
}
