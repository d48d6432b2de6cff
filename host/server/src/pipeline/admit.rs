//! Step 3: may this caller use this endpoint, now (contract: pipeline §1, 3a to 3d).

use std::sync::Arc;
use std::time::Instant;

use abxd_plugins::Trail;
use abxd_policy::{self as policy, Identity, Rule, Slot};

use super::{Caller, Refusal};
use crate::deployment::{Deployment, Served};

/// The right to have one request handled. It is made here and nowhere else, and no handler can be called without it.
///
/// Holds the request's place in the concurrency limit. It is dropped, and the place given back, when the answer has been
/// written or its writing has failed.
#[derive(Debug)]
pub struct Permit {
    caller: Caller,
    trail: Trail,
    _slot: Slot,
}

impl Permit {
    /// Ask the policy, then the limits.
    ///
    /// # Errors
    /// [`Refusal::Disabled`], [`Refusal::MissingScope`], [`Refusal::Exhausted`].
    pub fn admit(caller: Caller, now: Instant) -> Result<Self, Refusal> {
        let (route, identity) = (caller.route(), caller.identity());
        let rule = &route.served().rule;
        rule.admit(identity).map_err(|refusal| match refusal {
            policy::Refusal::Disabled { origin } => Refusal::Disabled(origin),
            policy::Refusal::MissingScope { scope } => Refusal::MissingScope { scope, identity: identity.id().clone() },
        })?;
        let slot = route.deployment().limiter.admit(identity, rule, now).map_err(Refusal::Exhausted)?;
        Ok(Self { caller, trail: Trail::default(), _slot: slot })
    }

    /// The deployment that serves the request.
    #[must_use]
    pub fn deployment(&self) -> &Arc<Deployment> {
        self.caller.route().deployment()
    }

    /// The endpoint.
    #[must_use]
    pub fn served(&self) -> &Arc<Served> {
        self.caller.route().served()
    }

    /// Its rule.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        &self.served().rule
    }

    /// Who is calling.
    #[must_use]
    pub fn identity(&self) -> &Arc<Identity> {
        self.caller.identity()
    }

    /// The `{name}` segments, decoded, in order.
    #[must_use]
    pub fn params(&self) -> &[String] {
        self.caller.route().params()
    }

    /// Where guards note the paths they let through.
    #[must_use]
    pub fn trail(&self) -> &Trail {
        &self.trail
    }
}
