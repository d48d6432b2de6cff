//! A token bucket in whole numbers: no rounding adds up, and the time to wait is exact.

use std::time::{Duration, Instant};

/// What one token is worth. A rate of `r` a minute then refills `r` units in each nanosecond.
const TOKEN: u128 = 60 * NANOS_PER_SECOND;
const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// A bucket of as many tokens as the rate allows in a minute.
#[derive(Debug)]
pub(super) struct Bucket {
    level: u128,
    as_of: Instant,
}

impl Bucket {
    /// A bucket before its first token is taken.
    pub(super) fn full(rate_per_minute: u64, now: Instant) -> Self {
        Self { level: capacity(rate_per_minute), as_of: now }
    }

    /// Takes one token. The rate is given each time because a reload can change it.
    ///
    /// # Errors
    /// The whole seconds until there is a token, at least 1.
    pub(super) fn take(&mut self, rate_per_minute: u64, now: Instant) -> Result<(), u64> {
        let rate = u128::from(rate_per_minute);
        let refill = rate.saturating_mul(now.saturating_duration_since(self.as_of).as_nanos());
        self.level = self.level.saturating_add(refill).min(capacity(rate_per_minute));
        self.as_of = self.as_of.max(now);
        match self.level.checked_sub(TOKEN) {
            Some(level) => {
                self.level = level;
                Ok(())
            }
            None => Err(whole_seconds(TOKEN - self.level, rate)),
        }
    }
}

fn capacity(rate_per_minute: u64) -> u128 {
    u128::from(rate_per_minute) * TOKEN
}

/// How long `missing` units take, rounded up.
fn whole_seconds(missing: u128, rate: u128) -> u64 {
    let seconds = missing.div_ceil(rate.max(1)).div_ceil(NANOS_PER_SECOND);
    u64::try_from(seconds).unwrap_or(Duration::MAX.as_secs()).max(1)
}
