//! The memory that all instances of a group may have together.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of linear memory of one group. Its instances take from it as they grow, and give back when they end.
#[derive(Debug)]
pub(crate) struct GroupMemory {
    most: usize,
    used: AtomicUsize,
}

impl GroupMemory {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, used: AtomicUsize::new(0) }
    }

    /// Take bytes, if there are as many left.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let taken = |used: usize| used.checked_add(bytes).filter(|used| *used <= self.most);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok()
    }

    /// Give back what was taken.
    pub(super) fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::GroupMemory;

    #[test]
    fn nothing_is_taken_beyond_the_most() {
        let memory = GroupMemory::new(100);
        assert!(memory.take(60) && memory.take(40));
        assert!(!memory.take(1) && !memory.take(usize::MAX) && memory.take(0));
        memory.give(40);
        assert!(memory.take(40) && !memory.take(1));
    }
}
