//! Judging the variables of a request.

use abxd_glob::Glob;

use super::checked::JudgedEnvironment;
use super::denial::EnvDenial;
use super::names::{has_prefix, is_well_formed};

/// Start of the server's own names, in any case: no child's variables.
const PREFIX: &str = "ABX_";

/// The environment guard. Built once and shared.
#[derive(Clone, Debug, Default)]
pub struct EnvGuard {
    deny: Vec<Glob>,
}

impl EnvGuard {
    /// A guard that also refuses the names that `deny` matches. No built-in endpoint has such patterns; a plugin may.
    #[must_use]
    pub const fn new(deny: Vec<Glob>) -> Self {
        Self { deny }
    }

    /// Judges name and value of each pair, in order; a value that is no text (a number, a list, a text with a lone
    /// surrogate) is `None`.
    ///
    /// # Errors
    /// The first pair that is refused: within a pair its form first, then its name.
    pub fn check(
        &self,
        pairs: impl IntoIterator<Item = (String, Option<String>)>,
    ) -> Result<JudgedEnvironment, EnvDenial> {
        let pairs = pairs.into_iter().map(|(name, value)| self.judge(name, value)).collect::<Result<_, _>>()?;
        Ok(JudgedEnvironment::new(pairs))
    }

    fn judge(&self, name: String, value: Option<String>) -> Result<(String, String), EnvDenial> {
        if !is_well_formed(&name) {
            return Err(EnvDenial::Name);
        }
        let value = value.filter(|value| !value.contains('\0')).ok_or(EnvDenial::Value)?;
        if has_prefix(&name, PREFIX) {
            return Err(EnvDenial::Prefix);
        }
        if self.deny.iter().any(|glob| glob.is_match(&name)) {
            return Err(EnvDenial::Pattern);
        }
        Ok((name, value))
    }
}
