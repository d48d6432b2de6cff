//! The built-in groups of a checkout.

use std::path::Path;

use abxd_manifest::Manifest;
use abxd_policy::{BUILT_IN_GROUPS, CORE};

use crate::error::DocsError;

/// One group.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) manifest: Manifest,
    /// Whether something answers its requests: the host itself, or a component that this checkout builds.
    pub(crate) is_built: bool,
}

/// All of them, in the order of the table.
pub(crate) fn groups(checkout: &Path) -> Result<Vec<Group>, DocsError> {
    let read = |(name, _): &(&str, bool)| {
        let plugin = checkout.join("plugins").join(name);
        let file = match *name {
            CORE => checkout.join("host/server/src/core/endpoints.toml"),
            _ => plugin.join("plugin.toml"),
        };
        let text = std::fs::read_to_string(&file).map_err(DocsError::file(&file))?;
        let manifest = Manifest::from_toml(&text, &file.display().to_string())?;
        Ok(Group { manifest, is_built: *name == CORE || plugin.join("Cargo.toml").is_file() })
    };
    BUILT_IN_GROUPS.iter().map(read).collect()
}
