//! Judging what lies below a directory that was admitted (`contract: guards §1`, walks).

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use super::checked::CheckedPath;
use super::denial::PathDenial;
use super::guard::PathGuard;
use super::resolve::follow_link;
use super::roots::Roots;
use super::rule::Access;

/// The judge of one walk. Real directories are entered by descriptor, so an entry that is no link is where its name
/// says: only its name and path need a look. A link is resolved in full. Holds the roots' descriptors while it lives.
#[derive(Debug)]
pub struct Walk {
    guard: Arc<PathGuard>,
    roots: Roots,
    /// Whether every entry that is no link passes.
    unrestricted: bool,
}

impl Walk {
    pub(super) fn new(guard: Arc<PathGuard>, start: &Path) -> Self {
        let unrestricted = !guard.has_patterns() && !guard.protected().touches_below(start);
        Self { guard, roots: Roots::unopened(), unrestricted }
    }

    /// Whether the guard lets the entry `name` of the directory `dir` through. `dir` is the real path of a directory
    /// that was itself let through; `link` is the entry's text when it is a link.
    pub fn admits(&mut self, dir: &Path, name: &OsStr, link: Option<&OsStr>) -> bool {
        match link {
            None => self.unrestricted || !self.guard.denies_entry(&dir.join(name)),
            Some(target) => self.follow(dir, name, target).is_ok(),
        }
    }

    /// Follows the link `name` of the directory `dir`, whose text is `target`, and judges link and target like any path,
    /// for reading. The path that comes back opens what the link led to at that moment and nothing else.
    ///
    /// # Errors
    /// The first check that refuses, in the contract's order.
    pub fn follow(&mut self, dir: &Path, name: &OsStr, target: &OsStr) -> Result<CheckedPath, PathDenial> {
        let own = dir.join(name);
        let found = follow_link(dir, name, target);
        let place = self.guard.admit(&mut self.roots, Some(&own), &found.path)?;
        if self.guard.denies(&found.path) || self.guard.denies_entry(&own) {
            return Err(PathDenial::Denied);
        }
        Ok(CheckedPath::new(Arc::clone(&self.guard), own, Access::Read, place, found))
    }
}
