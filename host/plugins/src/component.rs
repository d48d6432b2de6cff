//! Loading a component: map its code, link what its grant lists, check its exports.
//!
//! An interface that the grant doesn't list is not linked, so a component that imports it does not load. Everything of
//! `wasi:*` is linked and empty: a component's language runtime needs the names, nobody gets anything through them.

mod grant;
mod linker;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wasmtime::Engine;

pub use grant::{Grant, GrantError, INTERFACES, Interface};

use crate::bindings;
use crate::instance::{Pool, Settings};

/// Why a component did not load.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its compiled code can't be used.
    #[error(transparent)]
    Map(#[from] abxd_sys::component::MapError),
    /// The host's own side can't be set up.
    #[error("linking the host's imports: {0}")]
    Link(wasmtime::Error),
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

/// Load compiled code and make a pool of instances for it. No instance is started yet.
///
/// # Errors
/// See [`LoadError`].
pub fn load(
    engine: &Engine,
    path: &Path,
    group: &Arc<str>,
    grant: &Grant,
    settings: Settings,
) -> Result<Arc<Pool>, LoadError> {
    let component = abxd_sys::component::map(engine, path)?;
    let linker = linker::granted(engine, grant).map_err(LoadError::Link)?;
    let mismatch = |cause| LoadError::Mismatch { path: path.to_owned(), granted: grant.to_string(), cause };
    let pre = linker.instantiate_pre(&component).map_err(mismatch)?;
    let component = bindings::PluginPre::new(pre).map_err(mismatch)?;
    Ok(Pool::new(component, group.clone(), settings))
}
