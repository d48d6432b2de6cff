//! Loading a component: map its code, link what its grant lists, check its exports.
//!
//! An interface that the grant doesn't list is not linked, so a component that imports it does not load. Everything of
//! `wasi:*` is linked and empty: a component's language runtime needs the names, nobody gets anything through them.

mod grant;
mod linker;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wasmtime::Engine;
use wasmtime::component::Component;

use grant::names;
pub use grant::{Grant, GrantError, INTERFACES, Interface};

use crate::instance::{Pool, Settings};
use crate::{Runtime, bindings};

/// Why a component did not load.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its compiled code can't be used.
    #[error(transparent)]
    Map(#[from] abxd_sys::component::MapError),
    /// The host's own side can't be set up.
    #[error("linking the host's imports: {0}")]
    Link(wasmtime::Error),
    /// It imports what is no interface of this host.
    #[error("{}: it imports `{interface}`, which this host does not have; there are: {}", path.display(), names())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The interface.
        interface: String,
    },
    /// It imports an interface that was not granted.
    #[error("{}: it imports `{interface}`, which is not granted; `--grant {group}:{interface}` grants it", path.display())]
    NotGranted {
        /// The file.
        path: PathBuf,
        /// The interface.
        interface: String,
        /// The plugin's group.
        group: String,
    },
    /// It imports what was not granted or isn't there, or doesn't export the handler.
    #[error("{path}: does not fit what the host offers and the grant lists ({granted}): {cause}")]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The interfaces granted.
        granted: String,
        /// What the runtime says.
        cause: wasmtime::Error,
    },
}

/// Interfaces that have no functions: nothing can be reached through them.
const TYPES_ONLY: [&str; 2] = ["children", "failures"];

/// The interfaces of `abx:host` that a component imports, by name: what it can reach at most, whatever its manifest
/// says (decision D71).
#[must_use]
pub fn imported(engine: &Engine, component: &Component) -> Vec<String> {
    let kind = component.component_type();
    let names = kind.imports(engine).filter_map(|(import, _)| {
        let name = import.strip_prefix("abx:host/")?;
        Some(name.split_once('@').map_or(name, |(name, _)| name).to_owned())
    });
    names.filter(|name| !TYPES_ONLY.contains(&name.as_str())).collect()
}

/// Link a component to what its grant lists, and make a pool of instances for it. No instance is started yet. `path` is
/// what errors call it.
///
/// # Errors
/// See [`LoadError`].
pub fn link(
    runtime: &Runtime,
    component: &Component,
    path: &Path,
    group: &Arc<str>,
    grant: &Grant,
    settings: Settings,
) -> Result<Arc<Pool>, LoadError> {
    for interface in imported(&runtime.engine, component) {
        let path = path.to_owned();
        if !INTERFACES.iter().any(|(_, name, _)| *name == interface) {
            return Err(LoadError::Unknown { path, interface });
        }
        if !grant.lists(&interface) {
            return Err(LoadError::NotGranted { path, interface, group: group.to_string() });
        }
    }
    let linker = linker::granted(&runtime.engine, grant).map_err(LoadError::Link)?;
    let mismatch = |cause| LoadError::Mismatch { path: path.to_owned(), granted: grant.to_string(), cause };
    let pre = linker.instantiate_pre(component).map_err(mismatch)?;
    let component = bindings::PluginPre::new(pre).map_err(mismatch)?;
    Ok(Pool::new(component, group.clone(), &runtime.turns, settings))
}
