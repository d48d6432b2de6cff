//! Which layer turned an endpoint off.

use std::fmt;

/// The `rule` of a disabled endpoint, and what stands beside it (`contract: policy §5`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The layer: `policy:endpoints.shell`, `preset:read-only`, `default:opt-in:browser`, …
    pub rule: String,
    /// What decided inside a preset (`endpoints.files_delete`); `None` for every other layer.
    pub detail: Option<String>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rule)
    }
}
