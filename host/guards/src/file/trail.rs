//! Walking a tree by descriptors.
//!
//! A [`Trail`] owns the descriptor of the directory it stands in and of at most [`KEPT`] of those above it, however
//! deep the tree is. It only ever enters real directories (a link under the name is refused by the kernel), and goes
//! back up through `..` only into the very directory it came from, so it cannot be led out of the tree it was given.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, openat, readlinkat};
use rustix::io::Errno;

use super::entries::{self, Entry};
use super::facts::{Facts, FileId, Kind};

/// How many directories above the current one keep their descriptor.
const KEPT: usize = 32;

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// A walk over a tree, standing in one of its directories.
#[derive(Debug)]
pub struct Trail {
    dir: OwnedFd,
    state: State,
    above: Vec<Above>,
    path: PathBuf,
}

/// How far a directory has been read.
#[derive(Debug, Default)]
struct State {
    batch: std::vec::IntoIter<Entry>,
    next: u64,
    ended: bool,
}

#[derive(Debug)]
struct Above {
    /// `None` once it was closed to save descriptors.
    dir: Option<OwnedFd>,
    id: FileId,
    state: State,
}

impl Trail {
    /// A walk that begins in `dir`, a directory opened for reading, whose path is `path`.
    #[must_use]
    pub fn new(dir: OwnedFd, path: PathBuf) -> Self {
        Self { dir, state: State::default(), above: Vec::new(), path }
    }

    /// The directory the walk stands in.
    #[must_use]
    pub fn dir(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }

    /// Its path: the one given at the start and the names entered since.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many directories lie above the current one, 0 in the one the walk began in.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.above.len()
    }

    /// The next entry of the current directory, in the order the file system gives; `None` at its end.
    ///
    /// # Errors
    /// The errno of reading it. `ENOENT` means that the directory was removed meanwhile.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, Errno> {
        loop {
            if let Some(entry) = self.state.batch.next() {
                return Ok(Some(entry));
            }
            if self.state.ended {
                return Ok(None);
            }
            let batch = entries::read(self.dir.as_fd())?;
            self.state.ended = batch.entries.is_empty();
            self.state.next = batch.next;
            self.state.batch = batch.entries.into_iter();
        }
    }

    /// The text of `entry`, an entry of the current directory, if it is a link.
    #[must_use]
    pub fn link_text(&self, entry: &Entry) -> Option<OsString> {
        if matches!(entry.kind, Some(kind) if kind != Kind::Link) {
            return None;
        }
        let text = readlinkat(&self.dir, &entry.name, Vec::new()).ok()?;
        Some(OsString::from_vec(text.into_bytes()))
    }

    /// Whether `entry`, an entry of the current directory, is a real directory.
    #[must_use]
    pub fn is_directory(&self, entry: &Entry) -> bool {
        let kind = entry.kind.or_else(|| Facts::at(&self.dir, &entry.name).ok().map(|facts| facts.kind));
        kind == Some(Kind::Directory)
    }

    /// Begins to read the current directory again.
    ///
    /// # Errors
    /// The errno of the seek.
    pub fn rewind(&mut self) -> Result<(), Errno> {
        entries::reposition(self.dir.as_fd(), 0)?;
        self.state = State::default();
        Ok(())
    }

    /// Enters the directory `name` of the current one.
    ///
    /// # Errors
    /// The errno of opening it: `ENOTDIR` or `ELOOP` when it is no real directory (any more). The walk stays where it
    /// was.
    pub fn enter(&mut self, name: &OsStr) -> Result<(), Errno> {
        let inner = openat(&self.dir, name, DIRECTORY, Mode::empty())?;
        let id = Facts::of(&self.dir)?.id;
        let dir = std::mem::replace(&mut self.dir, inner);
        self.above.push(Above { dir: Some(dir), id, state: std::mem::take(&mut self.state) });
        let far = self.above.len().checked_sub(KEPT + 1);
        if let Some(far) = far.and_then(|index| self.above.get_mut(index)) {
            far.dir = None;
        }
        self.path.push(name);
        Ok(())
    }

    /// Goes back to the directory above; `false` in the directory that the walk began in.
    ///
    /// # Errors
    /// `ESTALE` when the current directory has been moved away, so that there is no sure way back; the errno of
    /// opening `..` otherwise. The walk is then over.
    pub fn leave(&mut self) -> Result<bool, Errno> {
        let Some(above) = self.above.pop() else { return Ok(false) };
        self.dir = match above.dir {
            Some(dir) => dir,
            None => reopen(self.dir.as_fd(), above.id, above.state.next)?,
        };
        self.state = above.state;
        self.path.pop();
        Ok(true)
    }
}

/// Opens the directory above `dir`, which must be the one known as `id`, and positions it.
fn reopen(dir: BorrowedFd<'_>, id: FileId, next: u64) -> Result<OwnedFd, Errno> {
    let above = openat(dir, "..", DIRECTORY, Mode::empty())?;
    if Facts::of(&above)?.id != id {
        return Err(Errno::STALE);
    }
    entries::reposition(above.as_fd(), next)?;
    Ok(above)
}
