//! Loading the components of the groups that are on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_manifest::Manifest;
use abxd_plugins::instance::Settings;
use abxd_plugins::{Grant, Plugin};
use serde::Serialize;
use wasmtime::Engine;

use super::Handler;
use crate::table::CORE;

/// Whether a group's component serves, as `/capabilities` shows it.
#[derive(Debug, Clone, Serialize)]
pub struct PluginState {
    /// The group.
    pub group: String,
    /// `loaded`, `off` (no endpoint of it is enabled) or `unavailable`.
    pub state: &'static str,
    /// Why it is unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The interfaces it is linked to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<String>,
}

/// The handlers of the groups, and the state of each.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub(super) handlers: HashMap<String, Handler>,
    pub(super) states: Vec<PluginState>,
}

/// Load the component of every group with an enabled endpoint. A group that is off costs nothing but its manifest; one
/// that does not load answers 503 and leaves the others alone.
pub(super) fn load(
    engine: &Engine,
    manifests: &[Manifest],
    is_on: impl Fn(&str) -> bool,
    directory: Option<&Path>,
) -> Loaded {
    let mut loaded = Loaded::default();
    for manifest in manifests.iter().filter(|manifest| manifest.group != CORE) {
        let group = manifest.group.clone();
        if !is_on(&group) {
            loaded.states.push(PluginState { group, state: "off", reason: None, granted: Vec::new() });
            continue;
        }
        let granted = manifest.imports.clone();
        match component(engine, manifest, directory) {
            Ok(plugin) => {
                loaded.handlers.insert(group.clone(), Handler::Component(Arc::new(plugin)));
                loaded.states.push(PluginState { group, state: "loaded", reason: None, granted });
            }
            Err(cause) => {
                let reason = format!("group {group} can't be served: {cause}");
                match cause {
                    // Known to be so, and shown in `/capabilities`.
                    Unavailable::Missing => tracing::debug!("{reason}"),
                    Unavailable::Grant(_) | Unavailable::Load(_) => tracing::error!("{reason}"),
                }
                let state =
                    PluginState { group: group.clone(), state: "unavailable", reason: Some(cause.shown()), granted };
                loaded.states.push(state);
                let shown = format!("group {group} can't be served: {}", cause.shown());
                loaded.handlers.insert(group, Handler::Absent(shown.into()));
            }
        }
    }
    loaded
}

/// Why a group has no component.
#[derive(Debug, thiserror::Error)]
enum Unavailable {
    #[error("this build has no component for it")]
    Missing,
    #[error(transparent)]
    Grant(#[from] abxd_plugins::component::GrantError),
    #[error(transparent)]
    Load(#[from] abxd_plugins::LoadError),
}

impl Unavailable {
    /// What clients may see: no paths of the server.
    fn shown(&self) -> String {
        match self {
            Self::Missing | Self::Grant(_) => self.to_string(),
            Self::Load(_) => "its component did not load".to_owned(),
        }
    }
}

fn component(engine: &Engine, manifest: &Manifest, directory: Option<&Path>) -> Result<Plugin, Unavailable> {
    let file: PathBuf = directory.ok_or(Unavailable::Missing)?.join(format!("{}.cwasm", manifest.group));
    if !file.exists() {
        return Err(Unavailable::Missing);
    }
    let grant = Grant::of(manifest.imports.iter().map(String::as_str))?;
    Ok(Plugin::load(engine, &file, manifest.group.as_str().into(), &grant, Settings::default())?)
}
