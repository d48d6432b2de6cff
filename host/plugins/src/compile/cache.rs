//! Compiled code on disk.
//!
//! Compiled code is not checked when it is mapped, so it may lie only where nobody but the operator writes: not the
//! server's own user, since that is who its children are (decisions D44, D73). A cache that the operator fills when an
//! image is built, owned by root and served by another user, is such a place. With `--dev`, everything runs as one user
//! and the cache is used and filled all the same.

use std::fs::File;
use std::io::{self, Seek};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::package::Package;

/// Where compiled code is kept, if anywhere.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    directory: Option<PathBuf>,
    /// Everything runs as one user, and that is accepted.
    dev: bool,
}

impl Cache {
    /// A cache in a directory. `dev` as the flag `--dev`.
    #[must_use]
    pub fn new(directory: Option<PathBuf>, dev: bool) -> Self {
        Self { directory, dev }
    }

    /// Code for exactly these bytes, this runtime and these settings.
    pub(super) fn look_up(&self, engine: &Engine, package: &Package) -> Option<Component> {
        let file = self.file(package).filter(|file| file.exists())?;
        let mapped = match self.dev {
            true => abxd_sys::component::map(engine, &file),
            // Children of root are root.
            false if rustix::process::geteuid().is_root() => return None,
            false => abxd_sys::component::map_of_root(engine, &file),
        };
        match mapped {
            Ok(component) => Some(component),
            Err(cause) => {
                tracing::warn!(%cause, "compiled code in the cache is not used");
                None
            }
        }
    }

    /// Keep code for the next start. That it can't be kept is no error.
    pub(super) fn keep(&self, package: &Package, code: &File) {
        let Some(file) = self.file(package).filter(|_| self.dev) else { return };
        if let Err(cause) = write(&file, code) {
            tracing::warn!(%cause, file = %file.display(), "compiled code is not kept");
        }
    }

    fn file(&self, package: &Package) -> Option<PathBuf> {
        let name = format!("{}-{}.cwasm", package.digest, abxd_engine::fingerprint());
        Some(self.directory.as_deref()?.join(name))
    }
}

fn write(file: &Path, code: &File) -> io::Result<()> {
    let temporary = file.with_extension(format!("{}.tmp", std::process::id()));
    let mut out = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    let mut code = code.try_clone()?;
    code.rewind()?;
    io::copy(&mut code, &mut out)?;
    std::fs::rename(&temporary, file)
}
