//! What no rule can open: the system's own trees and the server's own files (D44 of the decisions: policy, plugins,
//! caches, state, audit).

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::CWD;

use super::lexical::{below, normalise};
use super::resolve::follow;
use crate::file::{Facts, Kind};
use crate::kernel_trees;

/// The server's own files and directories.
#[derive(Debug, Default)]
pub struct Protected {
    /// Each place as it is written and, where that differs, its real path.
    places: Vec<PathBuf>,
}

impl Protected {
    /// Protects `places` (absolute; they need not exist yet) and everything below them. Links in them are followed
    /// now.
    #[must_use]
    pub fn new(places: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut all = Vec::new();
        for place in places {
            let written = normalise(place.as_os_str().as_bytes());
            let real = follow(Path::new("/"), &written).path;
            for path in [written, real] {
                if !all.contains(&path) {
                    all.push(path);
                }
            }
        }
        Self { places: all }
    }

    /// Protects nothing: for work on one's own machine.
    #[must_use]
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Whether `path` is one of the places, or of the system's trees, or lies below one.
    pub(super) fn covers(&self, path: &Path) -> bool {
        self.all().any(|place| below(path, place).is_some())
    }

    /// Whether `path` is one of the places or of the system's trees.
    pub(super) fn names(&self, path: &Path) -> bool {
        self.all().any(|place| place == path)
    }

    /// Whether a place or a tree of the system is, or lies below, `path`.
    pub(super) fn touches_below(&self, path: &Path) -> bool {
        self.all().any(|place| below(place, path).is_some())
    }

    /// Whether the file with these facts is one of the places under another name (a hard link).
    pub(super) fn is_alias(&self, facts: &Facts) -> bool {
        facts.kind == Kind::File
            && facts.links > 1
            && self.places.iter().any(|place| Facts::at(CWD, place.as_os_str()).is_ok_and(|own| own.id == facts.id))
    }

    fn all(&self) -> impl Iterator<Item = &Path> {
        kernel_trees::all().chain(self.places.iter().map(PathBuf::as_path))
    }
}
