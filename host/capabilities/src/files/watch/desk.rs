//! The tools of one turn: the judge, the open directories, and the changes found so far.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_guards::file::{Facts, Kind};
use abxd_guards::path::{CheckedPath, Walk};
use rustix::fs::readlinkat;
use rustix::io::Errno;

use super::handles::{Handles, Unopened};
use super::tree::{DirId, Tree};
use super::{Change, ChangeKind};
use crate::files::temporary::is_temporary;

/// Changes after which a turn ends.
const MOST_CHANGES: usize = 512;
/// Entries looked at after which a turn ends.
const MOST_LOOKS: usize = 4096;

/// An entry that changes its kind while it is looked at is looked at anew this often.
const LOOKS: usize = 3;

/// What a look at an entry shows.
#[derive(Debug)]
pub(super) enum Seen {
    /// The guard refuses it, or nobody may see it: unfinished files.
    Hidden,
    /// Nothing is there. The name alone was let through.
    Gone,
    /// It is there and let through.
    There(Facts),
}

#[derive(Debug)]
pub(super) struct Desk {
    walk: Walk,
    pub(super) handles: Handles,
    /// Whether changes are not reported: the tree is being learnt.
    silent: bool,
    changes: Vec<Change>,
    looks: usize,
}

impl Desk {
    pub(super) fn new(root: &Arc<CheckedPath>, silent: bool) -> Self {
        let handles = Handles::new(Arc::clone(root));
        Self { walk: root.walk(), handles, silent, changes: Vec::new(), looks: 0 }
    }

    /// Whether the turn may go on.
    pub(super) fn has_room(&self) -> bool {
        self.changes.len() < MOST_CHANGES && self.looks < MOST_LOOKS
    }

    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes
    }

    pub(super) fn report(&mut self, kind: ChangeKind, path: PathBuf, is_dir: bool) {
        if !self.silent {
            self.changes.push(Change { kind, path, is_dir });
        }
    }

    /// Looks at the entry `name` of the directory `id`.
    ///
    /// # Errors
    /// The directory can't be opened although it is there.
    pub(super) fn look(&mut self, tree: &mut Tree, id: DirId, name: &OsStr) -> Result<Seen, Unopened> {
        let Some(path) = tree.path(id) else { return Ok(Seen::Hidden) };
        match self.handles.get(tree, id) {
            Ok(dir) => Ok(self.look_in(dir.as_fd(), &path, name)),
            Err(Unopened::Gone) => Ok(self.by_name(&path, name)),
            Err(reason) => Err(reason),
        }
    }

    /// Looks at the entry `name` of the open directory `dir`, whose path is `path`.
    pub(super) fn look_in(&mut self, dir: BorrowedFd<'_>, path: &Path, name: &OsStr) -> Seen {
        self.looks += 1;
        for _ in 0..LOOKS {
            let facts = match Facts::at(dir, name) {
                Ok(facts) => facts,
                Err(Errno::NOENT) => return self.by_name(path, name),
                Err(_) => return Seen::Hidden,
            };
            if facts.kind != Kind::Link {
                return if self.admits(path, name, None) { Seen::There(facts) } else { Seen::Hidden };
            }
            match readlinkat(dir, name, Vec::new()) {
                Ok(text) => {
                    let text = OsStr::from_bytes(text.as_bytes());
                    return if self.admits(path, name, Some(text)) { Seen::There(facts) } else { Seen::Hidden };
                }
                // No link any more.
                Err(Errno::INVAL | Errno::NOENT) => {}
                Err(_) => return Seen::Hidden,
            }
        }
        Seen::Hidden
    }

    fn by_name(&mut self, path: &Path, name: &OsStr) -> Seen {
        if self.admits(path, name, None) { Seen::Gone } else { Seen::Hidden }
    }

    fn admits(&mut self, path: &Path, name: &OsStr, link: Option<&OsStr>) -> bool {
        !is_temporary(name) && self.walk.admits(path, name, link)
    }
}
