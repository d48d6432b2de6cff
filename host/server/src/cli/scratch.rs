//! The server's own folder, for what its children are to read and nobody to change.
//!
//! A [`Scratch`] owns the folder; it goes with it. Children may enter it, also as another user, and can't list or write
//! it as one. It is among the server's own files, so that no request reaches it (decision D44).

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

/// The folder, where one could be made.
pub(super) struct Scratch(io::Result<TempDir>);

impl Scratch {
    /// Make the folder.
    pub(super) fn make() -> Self {
        let mut builder = tempfile::Builder::new();
        Self(builder.prefix("abxd-").permissions(Permissions::from_mode(0o711)).tempdir())
    }

    /// Its path; without a folder that of all temporary files, where nothing can be made either.
    pub(super) fn path(&self) -> Arc<Path> {
        match &self.0 {
            Ok(folder) => folder.path().into(),
            Err(_) => std::env::temp_dir().into(),
        }
    }

    /// The folder, to be protected.
    pub(super) fn own(&self) -> Option<&Path> {
        self.0.as_ref().ok().map(TempDir::path)
    }

    /// Why there is none.
    pub(super) fn failure(&self) -> Option<&io::Error> {
        self.0.as_ref().err()
    }
}
