//! The manifests that are part of the program.

use abxd_manifest::{Manifest, ManifestError};

/// The native group: it must answer when a plugin is broken, and it describes what only the host knows.
pub const CORE: &str = "core";

/// File and text of each, in the order of the contract's table.
const TEXTS: [(&str, &str); 9] = [
    ("core/endpoints.toml", include_str!("../core/endpoints.toml")),
    ("plugins/commands/plugin.toml", include_str!("../../../../plugins/commands/plugin.toml")),
    ("plugins/file_ops/plugin.toml", include_str!("../../../../plugins/file_ops/plugin.toml")),
    ("plugins/process/plugin.toml", include_str!("../../../../plugins/process/plugin.toml")),
    ("plugins/terminal/plugin.toml", include_str!("../../../../plugins/terminal/plugin.toml")),
    ("plugins/system/plugin.toml", include_str!("../../../../plugins/system/plugin.toml")),
    ("plugins/dev_tools/plugin.toml", include_str!("../../../../plugins/dev_tools/plugin.toml")),
    ("plugins/browser/plugin.toml", include_str!("../../../../plugins/browser/plugin.toml")),
    ("plugins/agents/plugin.toml", include_str!("../../../../plugins/agents/plugin.toml")),
];

/// The built-in manifests.
///
/// # Errors
/// The first one that is malformed; a test of this crate finds it before a user does.
pub fn manifests() -> Result<Vec<Manifest>, ManifestError> {
    TEXTS.iter().map(|(file, text)| Manifest::from_toml(text, file)).collect()
}

/// Whether a group is one of the contract's nine.
pub(super) fn is_group(name: &str) -> bool {
    abxd_policy::BUILT_IN_GROUPS.iter().any(|(known, _)| *known == name)
}
