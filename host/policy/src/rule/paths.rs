//! What the path guard goes by.

use abxd_glob::DenyPattern;
use serde_json::{Value, json};

use super::Symlinks;

/// The `paths` settings of a rule. The base directory and the three directories that are always denied are the
/// guard's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathSettings {
    pub(crate) allow: Vec<String>,
    pub(crate) deny: Vec<DenyPattern>,
    pub(crate) read_only: bool,
    pub(crate) symlinks: Symlinks,
}

impl PathSettings {
    /// The roots, absolute, as written; empty when the base directory is the root.
    pub fn allow(&self) -> &[String] {
        &self.allow
    }

    /// The deny patterns of every layer, each once.
    pub fn deny(&self) -> &[DenyPattern] {
        &self.deny
    }

    /// Whether writing and deleting are refused.
    pub fn read_only(&self) -> bool {
        self.read_only
    }

    /// What becomes of links.
    pub fn symlinks(&self) -> Symlinks {
        self.symlinks
    }

    /// Whether anything here differs from what holds without a policy.
    pub fn is_configured(&self) -> bool {
        *self != Self::default()
    }

    /// The object of `GET /capabilities`; deny patterns are counted, never shown (`contract: policy §9`).
    pub fn to_json(&self) -> Value {
        json!({
            "allow": self.allow,
            "read_only": self.read_only,
            "deny_count": self.deny.len(),
            "symlinks": self.symlinks.as_str(),
        })
    }
}
