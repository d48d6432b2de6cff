//! The directories of a tree, opened again when they are needed.
//!
//! [`Handles`] live for one turn and hold at most [`MOST`] descriptors. A watch that waits holds none: a descriptor of a
//! directory keeps the kernel from telling that it was removed.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::Arc;

use abxd_guards::file::Facts;
use abxd_guards::path::{CheckedPath, OpenFailure};
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use super::tree::{DirId, Tree};

/// Most descriptors that are kept.
const MOST: usize = 32;

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// Why a known directory could not be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unopened {
    /// It isn't there, or something else is.
    Gone,
    /// It may not be read.
    Closed,
    /// Descriptors or memory are short: later perhaps.
    Short,
}

impl From<Errno> for Unopened {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV | Errno::STALE | Errno::NAMETOOLONG => Self::Gone,
            Errno::ACCESS | Errno::PERM => Self::Closed,
            _ => Self::Short,
        }
    }
}

impl From<OpenFailure> for Unopened {
    fn from(failure: OpenFailure) -> Self {
        match failure {
            OpenFailure::Os(errno) => errno.into(),
            OpenFailure::Denied(_) | OpenFailure::NotAFile | OpenFailure::ParentNotDirectory { .. } => Self::Gone,
        }
    }
}

#[derive(Debug)]
pub(super) struct Handles {
    root: Arc<CheckedPath>,
    open: HashMap<DirId, Rc<OwnedFd>>,
}

impl Handles {
    pub(super) fn new(root: Arc<CheckedPath>) -> Self {
        Self { root, open: HashMap::new() }
    }

    /// The directory `id`, opened below the one above it, if it is still the same. The first time tells which it is.
    pub(super) fn get(&mut self, tree: &mut Tree, id: DirId) -> Result<Rc<OwnedFd>, Unopened> {
        if let Some(open) = self.open.get(&id) {
            return Ok(Rc::clone(open));
        }
        let directory = tree.get(id).ok_or(Unopened::Gone)?;
        let opened = match directory.parent {
            None => self.root.open_directory()?,
            Some(above) => {
                let name = directory.name.clone();
                openat(self.get(tree, above)?, name, DIRECTORY, Mode::empty())?
            }
        };
        let found = Facts::of(&opened)?.id;
        if *tree.get_mut(id).ok_or(Unopened::Gone)?.file.get_or_insert(found) != found {
            return Err(Unopened::Gone);
        }
        if self.open.len() >= MOST {
            self.open.clear();
        }
        let opened = Rc::new(opened);
        self.open.insert(id, Rc::clone(&opened));
        Ok(opened)
    }

    /// A descriptor of the same directory with a reading position of its own.
    pub(super) fn reader(opened: &OwnedFd) -> Result<OwnedFd, Unopened> {
        Ok(openat(opened, ".", DIRECTORY, Mode::empty())?)
    }
}
