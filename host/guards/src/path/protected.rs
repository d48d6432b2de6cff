//! What no rule can open: the system's own trees and the server's own files (D44 of the decisions: policy, plugins,
//! caches, state, audit).
//!
//! The server's own files become more while it runs: a reload names plugins, and links are led elsewhere. One
//! [`Protected`] therefore serves the guards of every deployment, those that requests in flight still use too. Its lock
//! is held for comparisons alone.

mod alias;
mod place;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustix::io::Errno;

use self::place::Place;
use super::lexical::below;
use crate::file::{Facts, Kind};
use crate::kernel_trees;

/// The server's own files and directories.
#[derive(Debug)]
pub struct Protected {
    places: RwLock<Arc<[Place]>>,
    is_off: bool,
}

/// What was protected at one moment, to go back to.
#[derive(Debug)]
#[must_use]
pub struct Before(Arc<[Place]>);

impl Protected {
    /// Protects `places` (absolute; they need not exist yet), everything below them, and every link on the way to them.
    #[must_use]
    pub fn new(places: impl IntoIterator<Item = PathBuf>) -> Self {
        let protected = Self { places: RwLock::new(Arc::new([])), is_off: false };
        let _ = protected.add(places);
        protected
    }

    /// Protects nothing, whatever is added: for work on one's own machine.
    #[must_use]
    pub fn nothing() -> Self {
        Self { places: RwLock::new(Arc::new([])), is_off: true }
    }

    /// Protects these too, from now on, in every guard that has this value. Blocks.
    pub fn add(&self, places: impl IntoIterator<Item = PathBuf>) -> Before {
        let before = self.places();
        if self.is_off {
            return Before(before);
        }
        let mut all = before.to_vec();
        for place in places.into_iter().map(Place::find) {
            if !place.is_within(&all) {
                all.push(place);
            }
        }
        if all.len() > before.len() {
            self.set(all.into());
        }
        Before(before)
    }

    /// Takes what was added since `before` out again: for what did not come into force.
    pub fn restore(&self, before: Before) {
        self.set(before.0);
    }

    /// Follows the links of all places anew, and protects what they lead to now besides what they led to. Blocks.
    pub fn refresh(&self) {
        let mut all = self.places().to_vec();
        // Every one is to be looked at, so none may end it.
        let changed = all.iter_mut().map(Place::find_again).filter(|is_new| *is_new).count();
        if changed > 0 {
            self.set(all.into());
        }
    }

    /// Whether `path` is one of the places, or of the system's trees, or lies below one.
    pub(super) fn covers(&self, path: &Path) -> bool {
        kernel_trees::cover(path) || self.any(|place| place.paths().any(|own| below(path, own).is_some()))
    }

    /// Whether `path` is one of the places or of the system's trees.
    pub(super) fn names(&self, path: &Path) -> bool {
        kernel_trees::all().any(|tree| tree == path) || self.any(|place| place.paths().any(|own| own == path))
    }

    /// Whether a place, a link on the way to one, or a tree of the system is, or lies below, `path`.
    pub(super) fn touches_below(&self, path: &Path) -> bool {
        let lies_below = |own: &Path| below(own, path).is_some();
        kernel_trees::all().any(lies_below) || self.any(|place| place.paths().chain(place.links()).any(lies_below))
    }

    /// Whether the file with these facts is one of the places, or lies in one, under another name (a hard link). A place
    /// with too many entries can't be looked through, and counts as if it did. Blocks.
    ///
    /// # Errors
    /// The errno of looking, other than that there is nothing: not to know is no leave.
    pub(super) fn is_alias(&self, facts: &Facts) -> Result<bool, Errno> {
        if facts.kind != Kind::File || facts.links <= 1 {
            return Ok(false);
        }
        for path in self.places().iter().flat_map(Place::paths) {
            if alias::holds(path, facts.id)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn any(&self, is: impl Fn(&Place) -> bool) -> bool {
        self.places.read().unwrap_or_else(PoisonError::into_inner).iter().any(is)
    }

    fn places(&self) -> Arc<[Place]> {
        self.places.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, places: Arc<[Place]>) {
        *self.places.write().unwrap_or_else(PoisonError::into_inner) = places;
    }
}
