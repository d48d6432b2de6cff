//! Step 2: who is calling (contract: pipeline §6).

use std::sync::Arc;

use abxd_policy::{AuthError, Credentials, Identity};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{Refusal, Route, origin};

/// The other header that a token may stand in.
const ACCESS_TOKEN: HeaderName = HeaderName::from_static("x-access-token");

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
        let credentials = of_headers(headers);
        Self::by(route, &credentials, headers)
    }

    /// Authenticate a request for the terminal socket. A token of its query counts only where no header says anything
    /// (contract: terminal, credentials).
    ///
    /// # Errors
    /// As [`Caller::authenticate`].
    pub fn authenticate_socket(route: Route, headers: &HeaderMap, token: Option<&str>) -> Result<Self, Refusal> {
        let says_something = |name: HeaderName| headers.get_all(name).iter().any(|value| !is_blank(value));
        let credentials = match token {
            Some(token) if !says_something(AUTHORIZATION) && !says_something(ACCESS_TOKEN) => {
                of_headers(headers).and(Credentials::from_token(token.as_bytes()))
            }
            _ => of_headers(headers),
        };
        Self::by(route, &credentials, headers)
    }

    fn by(route: Route, credentials: &Credentials<'_>, headers: &HeaderMap) -> Result<Self, Refusal> {
        let identities = &route.deployment().identities;
        let identity = identities.authenticate(credentials).map_err(|error| match error {
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

fn of_headers(headers: &HeaderMap) -> Credentials<'_> {
    let values = |name| headers.get_all(name).into_iter().map(HeaderValue::as_bytes);
    Credentials::from_headers(values(AUTHORIZATION), values(ACCESS_TOKEN))
}

fn is_blank(value: &HeaderValue) -> bool {
    value.as_bytes().trim_ascii().is_empty()
}
