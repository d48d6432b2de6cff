//! What one process has written, and waiting for more.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use super::Event;
use super::ring::Ring;
use crate::process::stream::OutputStream;

/// How far a log is.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// Number of the next event.
    next: u64,
    /// The child has ended, and all that it wrote itself is there.
    is_settled: bool,
    /// Nobody has to wait for more: the child has ended and its pipes have, or it is a moment ago.
    is_over: bool,
}

/// The log of one process. Written by the process's task, read by anybody.
#[derive(Debug)]
pub(super) struct Log {
    ring: Mutex<Ring>,
    progress: watch::Sender<Progress>,
}

impl Log {
    pub(super) fn new(most: u64) -> Self {
        Self { ring: Mutex::new(Ring::new(most)), progress: watch::channel(Progress::default()).0 }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One read of an output; an empty one is no event.
    pub(super) fn push(&self, stream: OutputStream, text: &str) {
        if text.is_empty() {
            return;
        }
        let next = {
            let mut ring = self.ring();
            ring.push(stream, text);
            ring.next()
        };
        self.progress.send_modify(|progress| progress.next = next);
    }

    /// The child has ended and all that it wrote itself has been read.
    pub(super) fn settle(&self) {
        self.progress.send_if_modified(|progress| !std::mem::replace(&mut progress.is_settled, true));
    }

    /// Nobody has to wait for more.
    pub(super) fn end(&self) {
        self.progress.send_modify(|progress| (progress.is_settled, progress.is_over) = (true, true));
    }

    /// No more will come.
    pub(super) fn close(&self) {
        self.end();
        self.ring().close();
    }

    /// Waits until all that an ended child wrote itself is there: moments.
    pub(super) async fn settled(&self) {
        let mut progress = self.progress.subscribe();
        // An error means that the task is gone with the runtime.
        let _ = progress.wait_for(|progress| progress.is_settled).await;
    }

    /// Waits until there is an event from number `since` on or nobody has to wait for one, but not longer than `most`.
    pub(super) async fn wait(&self, since: u64, most: Duration) {
        let mut progress = self.progress.subscribe();
        let enough = progress.wait_for(|progress| progress.next > since || progress.is_over);
        // Whether it was the time or an event, what is there is what there is.
        let _ = timeout(most, enough).await;
    }

    /// The kept events from number `since` on, the number of the next one, and whether any was discarded.
    pub(super) fn since(&self, since: u64) -> (Vec<Event>, u64, bool) {
        let ring = self.ring();
        let (next, dropped) = (ring.next(), ring.has_dropped());
        let events = ring.since(since);
        drop(ring);
        let event = |(seq, stream, text): (u64, OutputStream, String)| Event { seq, stream, text: text.into() };
        (events.into_iter().map(event).collect(), next, dropped)
    }
}
