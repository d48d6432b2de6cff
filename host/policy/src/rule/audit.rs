//! What of an endpoint's requests the audit log gets.

use std::fmt;

/// Audit mode of a rule (`contract: pipeline §9`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuditMode {
    /// Nothing.
    Off,
    /// Refusals and failures.
    #[default]
    Deny,
    /// Everything.
    All,
}

impl AuditMode {
    /// The names, in the order of the variants.
    pub(crate) const NAMES: [&'static str; 3] = ["off", "deny", "all"];

    /// The mode of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Off, Self::Deny, Self::All].into_iter().find(|mode| mode.as_str() == name)
    }

    /// The name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Deny => "deny",
            Self::All => "all",
        }
    }
}

impl fmt::Display for AuditMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
