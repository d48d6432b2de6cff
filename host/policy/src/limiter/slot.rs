//! Slots of requests in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The count of one entry.
#[derive(Debug, Default)]
pub(super) struct Slots(Arc<AtomicU64>);

impl Slots {
    /// Takes a slot if fewer than `limit` are in use.
    pub(super) fn take(&self, limit: u64) -> Option<Slot> {
        let next = |in_use| if in_use < limit { Some(in_use + 1) } else { None };
        // The count guards no other memory, so no order with other writes is needed.
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(Slot(Some(Arc::clone(&self.0))))
    }

    pub(super) fn in_use(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The right of one request to run. Dropping it gives the slot back: after the answer has been written, at the end of
/// a stream, at the close of a socket.
#[derive(Debug)]
#[must_use = "dropping the slot gives it back"]
pub struct Slot(Option<Arc<AtomicU64>>);

impl Slot {
    /// The slot of an endpoint without a limit.
    pub(super) fn unlimited() -> Self {
        Self(None)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(in_use) = &self.0 {
            in_use.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
