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
            return self.scan(parent, MAX_ENTRIES);
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

    fn scan(&self, parent: &Parent, most: usize) -> Result<(), OpenFailure> {
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
            if seen > most || !walk.admits(trail.path(), &entry.name, link.as_deref()) {
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::sync::Arc;

    use abxd_glob::DenyPattern;

    use super::MAX_ENTRIES;
    use crate::path::{Access, PathDenial, PathGuard, PathRule, Protected};

    #[test]
    fn trees_too_large_to_look_through_are_protected() {
        assert_eq!(MAX_ENTRIES, 100_000);
        let top = tempfile::tempdir().unwrap();
        let tree = top.path().join("tree");
        fs::create_dir_all(tree.join("a/b")).unwrap();
        fs::write(tree.join("a/b/c"), "").unwrap();
        let rule = PathRule { deny: vec![DenyPattern::parse("*.key").unwrap()], ..PathRule::default() };
        let guard = PathGuard::new(rule, top.path(), top.path(), Arc::new(Protected::nothing()));
        let path = guard.check_own(tree.as_os_str().as_bytes(), Access::Delete).unwrap();
        let parent = path.parent().unwrap();
        assert_eq!(path.scan(&parent, 3), Ok(()));
        assert_eq!(path.scan(&parent, 2), Err(PathDenial::Denied.into()));
    }
}
