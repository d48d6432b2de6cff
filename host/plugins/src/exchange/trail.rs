//! The paths that a request's guards let through, for its audit line.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// At most this many paths of one request are kept (contract: pipeline §9).
const MOST: usize = 8;

/// A request's trail: shared between the pipeline, which reads it at the end, and the imports, which add to it.
#[derive(Debug, Clone, Default)]
pub struct Trail(Arc<Mutex<Vec<PathBuf>>>);

impl Trail {
    /// Note a path that passed the guard. Beyond the eighth nothing is kept.
    pub fn note(&self, path: &Path) {
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if paths.len() < MOST {
            paths.push(path.to_owned());
        }
    }

    /// The paths noted so far, in order.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
