use std::path::PathBuf;

use crate::error::Failure;
use crate::places::{Places, entries};

/// A group of endpoints whose handler is a crate of this workspace. Groups that have only a manifest are not built.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Its name, which is that of its folder.
    pub(crate) name: String,
    /// Its `plugin.toml`.
    pub(crate) manifest: PathBuf,
}

impl Group {
    /// All of them, in the order of their names.
    pub(crate) fn all(places: &Places) -> Result<Vec<Self>, Failure> {
        let mut groups = Vec::new();
        for (name, folder) in entries(&places.plugins())? {
            let manifest = folder.join("plugin.toml");
            if !(manifest.is_file() && folder.join("Cargo.toml").is_file()) {
                continue;
            }
            let name = name.into_string().map_err(|name| Failure::Tree { detail: format!("{name:?}: not a group") })?;
            groups.push(Self { name, manifest });
        }
        Ok(groups)
    }

    /// Name of its crate.
    pub(crate) fn package(&self) -> String {
        format!("abx-{}", self.name.replace('_', "-"))
    }

    /// The component that cargo leaves.
    pub(crate) fn component(&self, places: &Places) -> PathBuf {
        places.target.join("wasm32-wasip2/guest").join(format!("abx_{}.wasm", self.name))
    }
}
