//! Rate and concurrency of each identity on each endpoint (`contract: policy §8`).
//!
//! A [`Limiter`] owns the buckets and slots of a server and outlives its policies, so that a reload neither refills a
//! bucket nor forgets a request in flight. One entry exists for each pair of identity and endpoint that has met a
//! limit; ids come from the document and the catalog, so there is a bound, and [`Limiter::retain`] drops what a reload
//! has made meaningless. One lock guards the entries, held for a look-up and a few sums; an endpoint without limits
//! never takes it.

mod bucket;
mod slot;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use thiserror::Error;

use crate::identity::Identity;
use crate::rule::Rule;
use bucket::Bucket;
pub use slot::Slot;
use slot::Slots;

/// Identity and endpoint.
type Key = (Arc<str>, Arc<str>);

/// Buckets and slots of all identities.
#[derive(Debug, Default)]
pub struct Limiter {
    entries: Mutex<HashMap<Key, Entry>>,
}

#[derive(Debug, Default)]
struct Entry {
    bucket: Option<Bucket>,
    slots: Slots,
}

/// Which limit is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Exhausted {
    /// The bucket is empty.
    #[error("the rate limit is used up, retry after {retry_after} s")]
    Rate {
        /// Whole seconds until there is a token again, at least 1.
        retry_after: u64,
    },
    /// All slots are taken. The token that the request took stays spent.
    #[error("too many requests at once")]
    Concurrency,
}

impl Exhausted {
    /// Seconds after which to try again.
    pub fn retry_after(self) -> u64 {
        match self {
            Self::Rate { retry_after } => retry_after,
            Self::Concurrency => 1,
        }
    }
}

impl Limiter {
    /// Takes a token and then a slot, where the rule has such limits. `now` comes from a monotonic clock.
    ///
    /// # Errors
    /// [`Exhausted`] names the limit that has no room.
    pub fn admit(&self, identity: &Identity, rule: &Rule, now: Instant) -> Result<Slot, Exhausted> {
        let (rate, concurrency) = (rule.limits().rate_per_minute(), rule.limits().max_concurrency());
        if rate.is_none() && concurrency.is_none() {
            return Ok(Slot::unlimited());
        }
        let mut entries = self.entries();
        let entry = entries.entry((Arc::clone(identity.id()), Arc::clone(rule.id()))).or_default();
        if let Some(rate) = rate {
            let bucket = entry.bucket.get_or_insert_with(|| Bucket::full(rate, now));
            bucket.take(rate, now).map_err(|retry_after| Exhausted::Rate { retry_after })?;
        }
        match concurrency {
            Some(limit) => entry.slots.take(limit).ok_or(Exhausted::Concurrency),
            None => Ok(Slot::unlimited()),
        }
    }

    /// Forgets the entries that `keep` (given identity and endpoint) does not want, except those with a slot in use.
    pub fn retain(&self, keep: impl Fn(&str, &str) -> bool) {
        self.entries().retain(|(identity, endpoint), entry| entry.slots.in_use() > 0 || keep(identity, endpoint));
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Key, Entry>> {
        // A panic elsewhere cannot leave an entry half-made.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
