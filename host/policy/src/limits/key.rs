//! The keys of a `limits` object.

use std::fmt;

/// A limit that a rule can set (`contract: policy §2`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LimitKey {
    /// Body limit of the pipeline, bytes.
    MaxRequestBytes,
    /// Requests a minute for each identity.
    RatePerMinute,
    /// Requests at once for each identity.
    MaxConcurrency,
    /// Size of a file or an archive, bytes.
    MaxBytes,
    /// Size of an output, bytes.
    MaxOutputBytes,
    /// Entries of a listing.
    MaxEntries,
    /// Depth of a walk.
    MaxDepth,
    /// Hits of a search.
    MaxResults,
    /// Files of an archive.
    MaxFiles,
    /// Processes that run at once.
    MaxProcesses,
    /// Terminal sessions at once.
    MaxSessions,
    /// Time of a run, seconds.
    TimeoutSeconds,
    /// Time of a stream, seconds.
    MaxDurationSeconds,
}

/// How a limit is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitKind {
    /// Bytes: a whole number or a text like `5MiB`.
    Size,
    /// A whole number above 0.
    Count,
    /// Seconds: a finite number above 0.
    Duration,
}

impl LimitKey {
    /// Every key, in the contract's order.
    pub const ALL: [Self; 13] = [
        Self::MaxRequestBytes,
        Self::RatePerMinute,
        Self::MaxConcurrency,
        Self::MaxBytes,
        Self::MaxOutputBytes,
        Self::MaxEntries,
        Self::MaxDepth,
        Self::MaxResults,
        Self::MaxFiles,
        Self::MaxProcesses,
        Self::MaxSessions,
        Self::TimeoutSeconds,
        Self::MaxDurationSeconds,
    ];

    /// The keys that every endpoint accepts.
    pub const COMMON: [Self; 3] = [Self::MaxRequestBytes, Self::RatePerMinute, Self::MaxConcurrency];

    /// The key of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.as_str() == name)
    }

    /// The name in documents and manifests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MaxRequestBytes => "max_request_bytes",
            Self::RatePerMinute => "rate_per_minute",
            Self::MaxConcurrency => "max_concurrency",
            Self::MaxBytes => "max_bytes",
            Self::MaxOutputBytes => "max_output_bytes",
            Self::MaxEntries => "max_entries",
            Self::MaxDepth => "max_depth",
            Self::MaxResults => "max_results",
            Self::MaxFiles => "max_files",
            Self::MaxProcesses => "max_processes",
            Self::MaxSessions => "max_sessions",
            Self::TimeoutSeconds => "timeout_seconds",
            Self::MaxDurationSeconds => "max_duration_seconds",
        }
    }

    pub(crate) fn kind(self) -> LimitKind {
        match self {
            Self::MaxRequestBytes | Self::MaxBytes | Self::MaxOutputBytes => LimitKind::Size,
            Self::TimeoutSeconds | Self::MaxDurationSeconds => LimitKind::Duration,
            _ => LimitKind::Count,
        }
    }

    fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for LimitKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of limit keys: what an endpoint accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LimitKeys(u16);

impl LimitKeys {
    /// Whether the set holds `key`.
    pub fn contains(self, key: LimitKey) -> bool {
        self.0 & key.bit() != 0
    }

    /// The keys in the contract's order.
    pub fn iter(self) -> impl Iterator<Item = LimitKey> {
        LimitKey::ALL.into_iter().filter(move |&key| self.contains(key))
    }
}

impl FromIterator<LimitKey> for LimitKeys {
    fn from_iter<I: IntoIterator<Item = LimitKey>>(keys: I) -> Self {
        Self(keys.into_iter().fold(0, |bits, key| bits | key.bit()))
    }
}
