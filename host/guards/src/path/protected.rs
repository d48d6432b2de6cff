//! What no rule can open: the system's own trees and the server's own files (D44 of the decisions: policy, plugins,
//! caches, state, audit).

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};

use super::lexical::{below, normalise};
use super::resolve::follow;
use crate::file::{Facts, FileId, Kind, Trail};
use crate::kernel_trees;

/// Most entries below one place that are looked at for one file.
const MOST_FILES: usize = 10_000;

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

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

    /// Whether the file with these facts is one of the places, or lies in one, under another name (a hard link). A place
    /// with more than [`MOST_FILES`] entries can't be looked through, and counts as if it did. Blocks.
    pub(super) fn is_alias(&self, facts: &Facts) -> bool {
        facts.kind == Kind::File && facts.links > 1 && self.places.iter().any(|place| holds(place, facts.id))
    }

    fn all(&self) -> impl Iterator<Item = &Path> {
        kernel_trees::all().chain(self.places.iter().map(PathBuf::as_path))
    }
}

/// Whether a file is under the place, whatever it is called there.
fn holds(place: &Path, file: FileId) -> bool {
    let Ok(own) = Facts::at(CWD, place.as_os_str()) else { return false };
    if own.kind != Kind::Directory {
        return own.id == file;
    }
    // What can't be read can't be linked from either, for want of the same permission.
    let Ok(top) = openat(CWD, place, DIRECTORY, Mode::empty()) else { return false };
    let mut trail = Trail::new(top, PathBuf::new());
    let mut seen = 0;
    loop {
        let entry = match trail.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) | Err(_) => match trail.leave() {
                Ok(true) => continue,
                Ok(false) | Err(_) => return false,
            },
        };
        seen += 1;
        if seen > MOST_FILES {
            return true;
        }
        if trail.is_directory(&entry) {
            // One that vanishes, or is another file system's, holds nothing that could be linked to.
            let _ = trail.enter(&entry.name);
        } else if Facts::at(trail.dir(), &entry.name).is_ok_and(|found| found.id == file) {
            return true;
        }
    }
}
