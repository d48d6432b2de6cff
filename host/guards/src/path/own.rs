//! A path whose last component is meant itself, even where it is a link (`contract: file_ops §1.8`).

use std::path::Path;

use super::checked::CheckedPath;
use super::denial::OpenFailure;
use super::place::{Parent, Place, attempt};
use super::roots::Roots;

/// A path that passed [`super::PathGuard::check_own`].
#[derive(Debug)]
pub struct OwnPath {
    target: CheckedPath,
    place: Place,
}

impl OwnPath {
    pub(super) const fn new(target: CheckedPath, place: Place) -> Self {
        Self { target, place }
    }

    /// Real path of the directory and the last component: what is removed or renamed, and reported.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.place.real()
    }

    /// Where it leads when it is a link; the same place when it is none.
    #[must_use]
    pub const fn target(&self) -> &CheckedPath {
        &self.target
    }

    /// Whether it was a link when it was judged.
    #[must_use]
    pub fn is_link(&self) -> bool {
        self.target.link_target().is_some()
    }

    /// Opens the directory that the last component lies in.
    ///
    /// # Errors
    /// As [`CheckedPath::parent`].
    pub fn parent(&self) -> Result<Parent, OpenFailure> {
        self.attempt(|place| place.parent(self.target.guard().opener()))
    }

    /// As [`OwnPath::parent`]; makes the directories that are missing.
    ///
    /// # Errors
    /// As [`CheckedPath::parent_made`].
    pub fn parent_made(&self) -> Result<Parent, OpenFailure> {
        self.attempt(|place| place.parent_made(self.target.guard().opener()))
    }

    fn attempt<T>(&self, act: impl Fn(&Place) -> Result<T, OpenFailure>) -> Result<T, OpenFailure> {
        let again = || {
            let target = &self.target;
            let lexical = target.lexical().to_owned();
            let fresh = target.guard().judge_own(&mut Roots::unopened(), lexical, target.access())?;
            Ok(fresh.place)
        };
        attempt(&self.place, again, act)
    }
}
