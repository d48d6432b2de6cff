//! Step 2: who is calling (contract: pipeline §6).

use std::sync::Arc;

use abxd_policy::{AuthError, Credentials, Identity};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};

use super::{Refusal, Route, origin};

/// A request whose caller is known.
#[derive(Debug)]
pub struct Caller {
    route: Route,
    identity: Arc<Identity>,
}

impl Caller {
    /// Authenticate. `health` skips the step and runs as `anonymous` without scopes.
    ///
    /// # Errors
    /// [`Refusal::Unauthorized`], [`Refusal::AmbiguousCredentials`], [`Refusal::CrossOrigin`].
    pub fn authenticate(route: Route, headers: &HeaderMap) -> Result<Self, Refusal> {
        if !route.served().entry.facts.auth {
            return Ok(Self { route, identity: Arc::new(Identity::unauthenticated()) });
        }
        let values = |name| headers.get_all(name).into_iter().map(HeaderValue::as_bytes);
        let credentials = Credentials::from_headers(
            headers.get_all(AUTHORIZATION).into_iter().map(HeaderValue::as_bytes),
            values("x-access-token"),
        );
        let identities = &route.deployment().identities;
        let identity = identities.authenticate(&credentials).map_err(|error| match error {
            AuthError::Unauthorized => Refusal::Unauthorized,
            AuthError::Ambiguous => Refusal::AmbiguousCredentials,
        })?;
        if !identities.has_tokens() && origin::is_foreign(headers) {
            return Err(Refusal::CrossOrigin);
        }
        Ok(Self { route, identity })
    }

    /// The matched request.
    #[must_use]
    pub fn route(&self) -> &Route {
        &self.route
    }

    /// Who is calling.
    #[must_use]
    pub fn identity(&self) -> &Arc<Identity> {
        &self.identity
    }
}
