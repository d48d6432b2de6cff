//! Whether a caller may use an endpoint: steps 3a and 3b of the pipeline (`contract: pipeline §1`).

use thiserror::Error;

use crate::identity::Identity;
use crate::rule::{Origin, Rule};
use crate::scope::Scope;

/// Why an endpoint is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The endpoint is off.
    #[error("the endpoint is disabled by {origin}")]
    Disabled {
        /// What turned it off.
        origin: Origin,
    },
    /// The caller lacks a scope.
    #[error("the scope `{scope}` is missing")]
    MissingScope {
        /// The first one that is missing, in the rule's order.
        scope: Scope,
    },
}

impl Rule {
    /// Judges the caller. Limits are not looked at.
    ///
    /// # Errors
    /// [`Refusal`], the switch before the scopes.
    pub fn admit(&self, identity: &Identity) -> Result<(), Refusal> {
        if let Some(origin) = self.origin() {
            return Err(Refusal::Disabled { origin: origin.clone() });
        }
        match identity.scopes().first_missing(self.scopes()) {
            Some(scope) => Err(Refusal::MissingScope { scope: scope.clone() }),
            None => Ok(()),
        }
    }
}
