//! The names of variables that hold the server's secrets.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use super::names::has_prefix;

/// Start of the server's own names, in any case: never shown, never given (`contract: policy §3`).
const SERVER_PREFIX: &str = "ABX_SERVER_";

/// The names that no request may see or give.
#[derive(Clone, Debug, Default)]
pub struct SecretNames(BTreeSet<String>);

impl SecretNames {
    /// Whether `name` is one of them, or of the server's own.
    #[must_use]
    pub fn cover(&self, name: &str) -> bool {
        has_prefix(name, SERVER_PREFIX) || self.0.contains(name)
    }

    /// Whether a child does not inherit the variable `name`: only the names that were given, exactly; others of the
    /// server's own stay (`contract: process §1.5`).
    #[must_use]
    pub fn hide(&self, name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| self.0.contains(name))
    }
}

/// Each name exactly as the policy has it (`token_env`).
impl<N: Into<String>> FromIterator<N> for SecretNames {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }
}
