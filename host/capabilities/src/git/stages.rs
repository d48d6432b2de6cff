//! Where git is run, and how often at the same time.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rustix::io::Errno;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout_at;

use super::GitFailure;
use super::bounds::System;

/// Most calls at a time. Each takes up to three of the threads that may block, of which everything else of the server
/// has to have some left.
const TURNS: usize = 16;

/// The folder for stages, the turns, and what the machine can do to bound a run: once for the whole server. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Stages {
    pub(super) folder: Arc<Path>,
    turns: Arc<Semaphore>,
    /// What every run may reach; none where runs can't be bounded.
    pub(super) system: Arc<OnceCell<Option<Arc<System>>>>,
}

impl Stages {
    /// Stages in `folder`, which others must not be able to write to.
    #[must_use]
    pub fn new(folder: Arc<Path>) -> Self {
        Self { folder, turns: Arc::new(Semaphore::new(TURNS)), system: Arc::default() }
    }

    /// Waits for a turn, holding no thread.
    ///
    /// # Errors
    /// [`GitFailure::TimedOut`].
    pub(super) async fn turn(&self, deadline: Instant) -> Result<Turn, GitFailure> {
        let turn = timeout_at(deadline.into(), Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.map_err(|_| GitFailure::TimedOut)?;
        Ok(Turn(Arc::new(turn.map_err(|_| Errno::CANCELED)?)))
    }
}

/// A turn. Held by the call, and by every thread that works for it: those go on for a while when nobody waits any more.
#[derive(Clone, Debug)]
pub(super) struct Turn(#[expect(dead_code, reason = "held to be dropped")] Arc<OwnedSemaphorePermit>);
