//! Which of the server's own variables may be seen and set: `env_get`, `env_set` (`contract: system`).

use abxd_glob::Glob;

use super::secrets::SecretNames;

/// Words that make a name look like a secret's, upper case.
const SENSITIVE: [&str; 5] = ["TOKEN", "SECRET", "KEY", "PASSWORD", "CREDENTIAL"];

/// The variable lists of an endpoint's rule.
#[derive(Clone, Debug, Default)]
pub struct VariableRule {
    /// Patterns one of which has to match; `None` or empty: every name that `deny` does not match.
    pub allow: Option<Vec<Glob>>,
    /// Patterns none of which may match.
    pub deny: Vec<Glob>,
}

impl VariableRule {
    /// Whether the lists admit `name`.
    #[must_use]
    pub fn admits(&self, name: &str) -> bool {
        let matches = |globs: &[Glob]| globs.iter().any(|glob| glob.is_match(name));
        !matches(&self.deny) && self.allow.as_deref().filter(|allow| !allow.is_empty()).is_none_or(matches)
    }

    /// Whether the variable `name` of the server may be shown: it doesn't look like a secret, isn't one, and the lists
    /// admit it. Of a name that isn't UTF-8 the lossy text is judged.
    #[must_use]
    pub fn shows(&self, name: &str, secrets: &SecretNames) -> bool {
        let upper = name.to_uppercase();
        !SENSITIVE.iter().any(|word| upper.contains(word)) && !secrets.cover(name) && self.admits(name)
    }
}
