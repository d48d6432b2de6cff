//! What may not be removed or moved away (`contract: guards §1`, tree protection).

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::denial::{OpenFailure, PathDenial};
use super::own::OwnPath;
use super::place::Parent;
use super::roots::Roots;
use crate::file::{Facts, Kind, Trail};

/// Most entries that are looked at below a directory.
const MAX_ENTRIES: usize = 100_000;

impl OwnPath {
    /// Refuses what must stay: a root, a directory that holds one of the server's own files, and, where the rule has
    /// deny patterns, a directory with any entry that the guard refuses, or with more than 100000. `parent` and
    /// `facts` are this path's.
    ///
    /// # Errors
    /// [`PathDenial::Denied`]; the errno of looking at the tree. Directories that can't be read are passed over: they
    /// can't be removed either.
    pub fn protect_tree(&self, parent: &Parent, facts: &Facts) -> Result<(), OpenFailure> {
        if self.is_root() || self.target().guard().protected().touches_below(self.path()) {
            return Err(PathDenial::Denied.into());
        }
        if facts.kind == Kind::Directory && self.target().guard().has_patterns() {
            return self.scan(parent);
        }
        Ok(())
    }

    fn is_root(&self) -> bool {
        let guard = self.target().guard();
        let mut roots = Roots::unopened();
        let mut index = 0;
        while let Some(root) = guard.root(&mut roots, index) {
            index += 1;
            if root.real == self.path() || root.real == self.target().real() {
                return true;
            }
        }
        false
    }

    fn scan(&self, parent: &Parent) -> Result<(), OpenFailure> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK;
        let top = match parent.open(flags) {
            Ok(top) => top,
            Err(Errno::ACCESS | Errno::NOENT) => return Ok(()),
            Err(errno) => return Err(errno.into()),
        };
        let mut walk = self.target().walk();
        let mut trail = Trail::new(top, self.path().to_owned());
        let mut seen = 0;
        loop {
            let Some(entry) = passable(trail.next_entry())?.flatten() else {
                if trail.leave()? { continue } else { return Ok(()) }
            };
            seen += 1;
            let link = trail.link_text(&entry);
            if seen > MAX_ENTRIES || !walk.admits(trail.path(), &entry.name, link.as_deref()) {
                return Err(PathDenial::Denied.into());
            }
            if trail.is_directory(&entry) {
                passable(trail.enter(&entry.name))?;
            }
        }
    }
}

/// `None` for what vanished, was replaced or can't be read.
fn passable<T>(outcome: Result<T, Errno>) -> Result<Option<T>, Errno> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Errno::ACCESS | Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(errno) => Err(errno),
    }
}
