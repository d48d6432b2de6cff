//! What operators see of a plugin.

use std::sync::Arc;

use abxd_manifest::Manifest;
use abxd_plugins::Plugin;
use serde::{Serialize, Serializer};

use super::Added;

/// One group's plugin, as `/capabilities` and `abxd plugin list` show it.
#[derive(Debug, Clone, Serialize)]
pub struct PluginState {
    /// The group.
    pub group: String,
    /// The version that its manifest gives.
    pub version: String,
    /// SHA-256 of a third party's component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The interfaces that its manifest asks for.
    pub asks: Vec<String>,
    /// The interfaces that it is linked to.
    pub granted: Vec<String>,
    /// `serving`, `failing`, `backing off`, `off` (no endpoint of it is enabled) or `unavailable`.
    pub state: Live,
    /// Why it is unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// A state that is looked up when it is shown.
#[derive(Debug, Clone)]
pub enum Live {
    /// It can't change within a deployment.
    Fixed(&'static str),
    /// As the plugin is doing.
    Of(Arc<Plugin>),
}

impl Live {
    /// The state now.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Fixed(state) => state,
            Self::Of(plugin) => plugin.state().as_str(),
        }
    }
}

impl Serialize for Live {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PluginState {
    fn of(manifest: &Manifest, state: Live) -> Self {
        Self {
            group: manifest.group.clone(),
            version: manifest.version.clone(),
            digest: None,
            asks: manifest.imports.clone(),
            granted: Vec::new(),
            state,
            reason: None,
        }
    }

    pub(super) fn off(manifest: &Manifest, added: Option<&Added>) -> Self {
        Self { digest: added.map(|added| added.digest.clone()), ..Self::of(manifest, Live::Fixed("off")) }
    }

    pub(super) fn unavailable(manifest: &Manifest, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..Self::of(manifest, Live::Fixed("unavailable")) }
    }

    pub(super) fn loaded(manifest: &Manifest, digest: Option<&str>, plugin: Arc<Plugin>, granted: Vec<String>) -> Self {
        Self { digest: digest.map(str::to_owned), granted, ..Self::of(manifest, Live::Of(plugin)) }
    }
}
