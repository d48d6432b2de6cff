//! The memory cap of an instance.

use std::sync::Arc;

use wasmtime::ResourceLimiter;

use super::memory::GroupMemory;

/// Elements of one table.
const MOST_ELEMENTS: usize = 20_000;

/// Refuses growth beyond the cap of the instance or of its group, and remembers that it did and how large the instance
/// has become. What the instance has goes back to the group with it.
#[derive(Debug)]
pub(crate) struct Limiter {
    most_bytes: usize,
    group: Arc<GroupMemory>,
    /// Bytes of linear memory now.
    pub(crate) bytes: usize,
    /// Whether growth was refused since the last call began.
    pub(crate) refused: bool,
}

impl Limiter {
    pub(crate) fn new(most_bytes: usize, group: Arc<GroupMemory>) -> Self {
        Self { most_bytes, group, bytes: 0, refused: false }
    }
}

impl Limiter {
    /// How many items of so many bytes fit into the instance's memory at most: there is no use in making more for it.
    pub(crate) fn room_for(&self, size: usize) -> usize {
        self.most_bytes.checked_div(size).unwrap_or(usize::MAX)
    }
}

impl Drop for Limiter {
    fn drop(&mut self) {
        self.group.give(self.bytes);
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current);
        let grown = self.bytes.saturating_add(more);
        let allowed = grown <= self.most_bytes && self.group.take(more);
        if allowed {
            self.bytes = grown;
        } else {
            self.refused = true;
        }
        Ok(allowed)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let allowed = desired <= MOST_ELEMENTS;
        self.refused |= !allowed;
        Ok(allowed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wasmtime::ResourceLimiter as _;

    use super::{GroupMemory, Limiter, MOST_ELEMENTS};

    #[test]
    fn memories_share_one_cap() {
        let mut limiter = Limiter::new(100, Arc::new(GroupMemory::new(1000)));
        assert!(limiter.memory_growing(0, 60, None).unwrap());
        assert!(limiter.memory_growing(0, 40, None).unwrap());
        assert!(!limiter.refused);
        assert!(!limiter.memory_growing(40, 41, None).unwrap());
        assert!(limiter.refused);
        assert_eq!(limiter.bytes, 100);
    }

    #[test]
    fn instances_share_the_groups_memory_and_give_it_back() {
        let group = Arc::new(GroupMemory::new(100));
        let [mut one, mut other] = [(); 2].map(|()| Limiter::new(80, group.clone()));
        assert!(one.memory_growing(0, 80, None).unwrap());
        assert!(!other.memory_growing(0, 21, None).unwrap());
        assert!(other.refused && !one.refused);
        drop(one);
        assert!(other.memory_growing(0, 80, None).unwrap());
        drop(other);
        assert!(group.take(100));
    }

    #[test]
    fn tables_are_capped_by_elements() {
        let mut limiter = Limiter::new(100, Arc::new(GroupMemory::new(100)));
        assert!(limiter.table_growing(0, MOST_ELEMENTS, None).unwrap());
        assert!(!limiter.table_growing(0, MOST_ELEMENTS + 1, None).unwrap());
    }
}
