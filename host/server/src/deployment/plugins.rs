//! Loading the components of the groups that are on.

mod added;
mod budget;
mod state;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_manifest::Manifest;
use abxd_plugins::component::imported;
use abxd_plugins::instance::Settings;
use abxd_plugins::{Grant, LoadError, Plugin, Runtime};
use abxd_policy::PluginSection;

pub use added::{Added, AddedError, Collision, Source};
pub use budget::BudgetError;
pub use state::PluginState;

use super::Handler;
use crate::table::CORE;

/// The handlers of the groups, and the state of each.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub(super) handlers: HashMap<String, Handler>,
    pub(super) states: Vec<PluginState>,
}

/// Why the groups can't be served together.
#[derive(Debug, thiserror::Error)]
pub enum GroupsError {
    /// A third party's component does not fit what it was granted.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// What the groups may use can't be given.
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

/// The most that all groups together can have: slots of the engine's pool. The pool has as many again for the deployment
/// that a reload replaces.
pub const SLOTS: u32 = 2048;

/// Load the component of every group with an enabled endpoint. A group that is off costs nothing but its manifest.
///
/// # Errors
/// A third party's component that does not link, or a budget. A built-in component that does not load answers 503 and
/// leaves the others alone.
pub(super) fn load(
    runtime: &Runtime,
    manifests: &[Manifest],
    is_on: impl Fn(&str) -> bool,
    directory: Option<&Path>,
    sections: &[PluginSection],
    added: &[Added],
) -> Result<Loaded, GroupsError> {
    let mut loaded = Loaded::default();
    let mut slots = 0;
    for manifest in manifests.iter().filter(|manifest| manifest.group != CORE) {
        let third_party = added.iter().find(|added| added.manifest.group == manifest.group);
        if !is_on(&manifest.group) {
            loaded.states.push(PluginState::off(manifest, third_party));
        } else if let Some(added) = third_party {
            let granted = imported(&runtime.engine, &added.component);
            loaded.add(manifest, Some(&added.digest), added.link(runtime)?, granted);
            slots += added.slots();
        } else {
            let settings = budget::of_built_in(manifest, sections)?;
            slots += settings.slots;
            match built_in(runtime, manifest, directory, settings) {
                Ok((plugin, granted)) => loaded.add(manifest, None, plugin, granted),
                Err(cause) => loaded.without(manifest, &cause),
            }
        }
    }
    let most = usize::try_from(SLOTS).unwrap_or(usize::MAX);
    if slots > most {
        return Err(BudgetError::Slots { slots, most }.into());
    }
    Ok(loaded)
}

impl Loaded {
    fn add(&mut self, manifest: &Manifest, digest: Option<&str>, plugin: Plugin, granted: Vec<String>) {
        let plugin = Arc::new(plugin);
        self.states.push(PluginState::loaded(manifest, digest, plugin.clone(), granted));
        self.handlers.insert(manifest.group.clone(), Handler::Component(plugin));
    }

    fn without(&mut self, manifest: &Manifest, cause: &Unavailable) {
        let group = &manifest.group;
        match cause {
            // Known to be so, and shown in `/capabilities`.
            Unavailable::Missing => tracing::debug!(group, "{cause}"),
            _ => tracing::error!(group, "the group can't be served: {cause}"),
        }
        self.states.push(PluginState::unavailable(manifest, cause.shown()));
        let shown = format!("group {group} can't be served: {}", cause.shown());
        self.handlers.insert(group.clone(), Handler::Absent(shown.into()));
    }
}

/// Why a built-in group has no component.
#[derive(Debug, thiserror::Error)]
enum Unavailable {
    #[error("this build has no component for it")]
    Missing,
    #[error(transparent)]
    Grant(#[from] abxd_plugins::component::GrantError),
    #[error(transparent)]
    Map(#[from] abxd_plugins::MapError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl Unavailable {
    /// What clients may see: no paths of the server.
    fn shown(&self) -> &'static str {
        match self {
            Self::Missing => "this build has no component for it",
            _ => "its component did not load",
        }
    }
}

fn built_in(
    runtime: &Runtime,
    manifest: &Manifest,
    directory: Option<&Path>,
    settings: Settings,
) -> Result<(Plugin, Vec<String>), Unavailable> {
    let file: PathBuf = directory.ok_or(Unavailable::Missing)?.join(format!("{}.cwasm", manifest.group));
    if !file.exists() {
        return Err(Unavailable::Missing);
    }
    let component = abxd_plugins::map(&runtime.engine, &file)?;
    let grant = Grant::of(manifest.imports.iter().map(String::as_str))?;
    let group = manifest.group.as_str().into();
    let plugin = Plugin::link(runtime, &component, &file, group, &grant, settings)?;
    Ok((plugin, imported(&runtime.engine, &component)))
}
