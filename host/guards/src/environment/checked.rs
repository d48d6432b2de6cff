//! Variables that passed the guard.

use super::denial::EnvDenial;
use super::secrets::SecretNames;
use super::variables::VariableRule;

/// Variables of the server that no request changes, exact case (`contract: guards §4`).
const FIXED: [&str; 4] = ["PATH", "HOME", "USER", "SHELL"];

/// Variables that passed [`super::EnvGuard::check`], in the request's order. Not yet fit for use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedEnvironment {
    pairs: Vec<(String, String)>,
}

/// Variables that passed every check for their use, in the request's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedEnvironment {
    pairs: Vec<(String, String)>,
}

impl JudgedEnvironment {
    pub(super) const fn new(pairs: Vec<(String, String)>) -> Self {
        Self { pairs }
    }

    /// Variables for one child. `denied` are exact names that the rule refuses (a terminal's `env_deny`).
    ///
    /// # Errors
    /// [`EnvDenial::NotAllowed`] for a secret's name or a denied one.
    pub fn for_child<S: AsRef<str>>(
        self,
        secrets: &SecretNames,
        denied: &[S],
    ) -> Result<CheckedEnvironment, EnvDenial> {
        let is_denied = |name: &str| denied.iter().any(|denied| denied.as_ref() == name);
        self.admit(|name| !secrets.cover(name) && !is_denied(name))
    }

    /// Variables for the server's own environment, which every later child gets (`env_set`).
    ///
    /// # Errors
    /// [`EnvDenial::Fixed`] when any of them may never change; else [`EnvDenial::NotAllowed`] for a secret's name or one
    /// that the rule does not admit.
    pub fn for_server(self, secrets: &SecretNames, rule: &VariableRule) -> Result<CheckedEnvironment, EnvDenial> {
        if self.pairs.iter().any(|(name, _)| FIXED.contains(&name.as_str())) {
            return Err(EnvDenial::Fixed);
        }
        self.admit(|name| !secrets.cover(name) && rule.admits(name))
    }

    fn admit(self, admits: impl Fn(&str) -> bool) -> Result<CheckedEnvironment, EnvDenial> {
        if self.pairs.iter().all(|(name, _)| admits(name)) {
            Ok(CheckedEnvironment { pairs: self.pairs })
        } else {
            Err(EnvDenial::NotAllowed)
        }
    }
}

impl CheckedEnvironment {
    /// Name and value of each variable. Where a name stands twice, the later one counts.
    #[must_use]
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// Leaves out the variables whose names `keep` is false for.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.pairs.retain(|(name, _)| keep(name));
    }

    /// A variable of the host's own, unless the request gives it.
    #[must_use]
    pub fn with_usual(mut self, name: &'static str, value: &'static str) -> Self {
        if self.pairs.iter().all(|(known, _)| known != name) {
            self.pairs.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Name and value of each variable, by value.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(String, String)> {
        self.pairs
    }
}
