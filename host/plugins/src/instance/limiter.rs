//! The memory cap of an instance.

use wasmtime::ResourceLimiter;

/// Refuses growth beyond the cap, and remembers that it did and how large the instance has become.
#[derive(Debug)]
pub(crate) struct Limiter {
    most_bytes: usize,
    most_elements: usize,
    /// Bytes of linear memory now.
    pub(crate) bytes: usize,
    /// Whether growth was refused since the last call began.
    pub(crate) refused: bool,
}

impl Limiter {
    pub(crate) fn new(most_bytes: usize, most_elements: usize) -> Self {
        Self { most_bytes, most_elements, bytes: 0, refused: false }
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let grown = self.bytes.saturating_add(desired.saturating_sub(current));
        let allowed = grown <= self.most_bytes;
        if allowed {
            self.bytes = grown;
        } else {
            self.refused = true;
        }
        Ok(allowed)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let allowed = desired <= self.most_elements;
        self.refused |= !allowed;
        Ok(allowed)
    }
}

#[cfg(test)]
mod tests {
    use wasmtime::ResourceLimiter as _;

    use super::Limiter;

    #[test]
    fn memories_share_one_cap() {
        let mut limiter = Limiter::new(100, 10);
        assert!(limiter.memory_growing(0, 60, None).unwrap());
        assert!(limiter.memory_growing(0, 40, None).unwrap());
        assert!(!limiter.refused);
        assert!(!limiter.memory_growing(40, 41, None).unwrap());
        assert!(limiter.refused);
        assert_eq!(limiter.bytes, 100);
    }

    #[test]
    fn tables_are_capped_by_elements() {
        let mut limiter = Limiter::new(100, 10);
        assert!(limiter.table_growing(0, 10, None).unwrap());
        assert!(!limiter.table_growing(0, 11, None).unwrap());
    }
}
