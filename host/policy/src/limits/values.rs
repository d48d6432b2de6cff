//! The limits that a rule sets.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{LimitKey, LimitKeys};

/// A time in seconds, as written: a whole number or a float. Finite and above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Seconds {
    /// Written without a fraction.
    Whole(u64),
    /// Written as a float.
    Float(f64),
}

impl Seconds {
    /// The time as a float.
    #[expect(clippy::cast_precision_loss, reason = "a time beyond 2^53 seconds need not be exact")]
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Whole(seconds) => seconds as f64,
            Self::Float(seconds) => seconds,
        }
    }
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LimitValue {
    /// A size in bytes or a count.
    Count(u64),
    /// A time.
    Time(Seconds),
}

impl LimitValue {
    fn to_json(self) -> Value {
        match self {
            Self::Count(number) | Self::Time(Seconds::Whole(number)) => number.into(),
            Self::Time(Seconds::Float(seconds)) => seconds.into(),
        }
    }
}

/// The limits of a rule, only those that some layer set. Every value is above 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    values: BTreeMap<LimitKey, LimitValue>,
    // Copies of what every request asks for.
    rate_per_minute: Option<u64>,
    max_concurrency: Option<u64>,
}

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident = $key:ident;)*) => {
        $($(#[$doc])* pub fn $name(&self) -> Option<u64> { self.count(LimitKey::$key) })*
    };
}

impl Limits {
    counts! {
        /// Body limit of the pipeline, bytes.
        max_request_bytes = MaxRequestBytes;
        /// Largest file or archive, bytes.
        max_bytes = MaxBytes;
        /// Largest output, bytes.
        max_output_bytes = MaxOutputBytes;
        /// Entries of a listing.
        max_entries = MaxEntries;
        /// Depth of a walk.
        max_depth = MaxDepth;
        /// Hits of a search.
        max_results = MaxResults;
        /// Files of an archive.
        max_files = MaxFiles;
        /// Processes that run at once.
        max_processes = MaxProcesses;
        /// Terminal sessions at once.
        max_sessions = MaxSessions;
    }

    /// Requests a minute for each identity.
    pub fn rate_per_minute(&self) -> Option<u64> {
        self.rate_per_minute
    }

    /// Requests at once for each identity.
    pub fn max_concurrency(&self) -> Option<u64> {
        self.max_concurrency
    }

    /// Longest run, seconds.
    pub fn timeout_seconds(&self) -> Option<f64> {
        self.time(LimitKey::TimeoutSeconds)
    }

    /// Longest stream, seconds.
    pub fn max_duration_seconds(&self) -> Option<f64> {
        self.time(LimitKey::MaxDurationSeconds)
    }

    /// Whether no layer set a limit.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The keys that are set.
    pub fn keys(&self) -> impl Iterator<Item = LimitKey> {
        self.values.keys().copied()
    }

    /// The object of `GET /capabilities`: what is set, sizes as whole numbers (`contract: policy §9`).
    pub fn to_json(&self) -> serde_json::Map<String, Value> {
        self.values.iter().map(|(key, value)| (key.as_str().to_owned(), value.to_json())).collect()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (LimitKey, LimitValue)> {
        self.values.iter().map(|(&key, &value)| (key, value))
    }

    pub(crate) fn set(&mut self, key: LimitKey, value: LimitValue) {
        self.values.insert(key, value);
        self.rate_per_minute = self.count(LimitKey::RatePerMinute);
        self.max_concurrency = self.count(LimitKey::MaxConcurrency);
    }

    /// Takes over what `later` sets and an endpoint accepts.
    pub(crate) fn overlay(&mut self, later: &Self, accepted: LimitKeys) {
        for (key, value) in later.iter().filter(|&(key, _)| accepted.contains(key)) {
            self.set(key, value);
        }
    }

    fn count(&self, key: LimitKey) -> Option<u64> {
        match self.values.get(&key)? {
            LimitValue::Count(number) => Some(*number),
            LimitValue::Time(_) => None,
        }
    }

    fn time(&self, key: LimitKey) -> Option<f64> {
        match self.values.get(&key)? {
            LimitValue::Count(_) => None,
            LimitValue::Time(seconds) => Some(seconds.as_f64()),
        }
    }
}
