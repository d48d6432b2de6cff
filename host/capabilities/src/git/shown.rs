//! Which of the names that git reports may be shown.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;

use abxd_guards::path::{PathGuard, Reported};

/// The judge of one run's names.
#[derive(Debug)]
pub(super) struct Shown {
    root: PathBuf,
    reported: Reported,
    /// Only this, and what lies below it.
    only: Option<Vec<u8>>,
}

impl Shown {
    pub(super) fn new(guard: &Arc<PathGuard>, root: PathBuf) -> Self {
        Self { root, reported: guard.reported(), only: None }
    }

    /// The same for one name, and those below it.
    pub(super) fn only(self, name: Option<Vec<u8>>) -> Self {
        Self { only: name, ..self }
    }

    /// Whether a name, taken from the root of the working tree, may be shown.
    pub(super) fn admits(&mut self, name: &[u8]) -> bool {
        // No name of git's begins with a slash; one that did would be no name below the root.
        let is_wanted = self.only.as_deref().is_none_or(|only| {
            name.strip_prefix(only).is_some_and(|rest| rest.first().is_none_or(|first| *first == b'/'))
        });
        is_wanted
            && name.first().is_some_and(|first| *first != b'/')
            && self.reported.admits(&self.root.join(OsStr::from_bytes(name)))
    }
}
