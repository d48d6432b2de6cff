//! How much a group may write to the operator's log.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Lines at once, and lines a second after that.
const LINES: (f64, f64) = (200.0, 20.0);

/// Lets a group's lines through as long as they are few: others' lines, the audit log's among them, go through the same
/// bounded queue. The lock is held for a few instructions.
#[derive(Debug)]
pub(crate) struct LineQuota(Mutex<Bucket>);

#[derive(Debug)]
struct Bucket {
    left: f64,
    seen: Instant,
    /// Whether lines were dropped since the bucket was full.
    overflowed: bool,
}

/// What is to be done with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Write it.
    Write,
    /// Drop it, and say once that lines are dropped.
    DropFirst,
    /// Drop it.
    Drop,
}

impl Default for LineQuota {
    fn default() -> Self {
        Self(Mutex::new(Bucket { left: LINES.0, seen: Instant::now(), overflowed: false }))
    }
}

impl LineQuota {
    /// Judge one line.
    pub(crate) fn judge(&self, now: Instant) -> Verdict {
        let mut bucket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since = now.saturating_duration_since(bucket.seen).as_secs_f64();
        bucket.seen = now;
        bucket.left = (bucket.left + since * LINES.1).min(LINES.0);
        if bucket.left >= LINES.0 {
            bucket.overflowed = false;
        }
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Verdict::Write;
        }
        if std::mem::replace(&mut bucket.overflowed, true) { Verdict::Drop } else { Verdict::DropFirst }
    }

    /// Judge one line, and say so where it is the first that is dropped.
    pub(crate) fn lets_through(&self, group: &str) -> bool {
        match self.judge(Instant::now()) {
            Verdict::Write => true,
            Verdict::Drop => false,
            Verdict::DropFirst => {
                tracing::warn!(group, "the plugin writes more than {} lines a second; the rest is dropped", LINES.1);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{LineQuota, Verdict};

    #[test]
    fn a_flood_is_cut_and_told_once() {
        let (lines, now) = (LineQuota::default(), Instant::now());
        assert!((0..200).all(|_| lines.judge(now) == Verdict::Write));
        assert_eq!(lines.judge(now), Verdict::DropFirst);
        assert!((0..1000).all(|_| lines.judge(now) == Verdict::Drop));
        let later = now + Duration::from_secs(1);
        assert!((0..20).all(|_| lines.judge(later) == Verdict::Write));
        assert_eq!(lines.judge(later), Verdict::Drop, "still the same flood");
        let much_later = later + Duration::from_secs(60);
        assert!((0..200).all(|_| lines.judge(much_later) == Verdict::Write));
        assert_eq!(lines.judge(much_later), Verdict::DropFirst);
    }
}
