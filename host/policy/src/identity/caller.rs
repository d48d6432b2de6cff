//! One caller.

use std::sync::Arc;

use crate::scope::Scopes;

/// The id of callers without a token.
pub const ANONYMOUS: &str = "anonymous";

/// A caller: an id and the scopes it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    id: Arc<str>,
    scopes: Scopes,
}

impl Identity {
    /// An identity by hand: what `check-config --explain` asks for.
    pub fn new(id: &str, scopes: Scopes) -> Self {
        Self { id: id.into(), scopes }
    }

    /// The identity of a request that was not authenticated: `anonymous` without scopes, as on `/health`.
    pub fn unauthenticated() -> Self {
        Self::new(ANONYMOUS, Scopes::none())
    }

    /// The id that audit, limits and answers use.
    pub fn id(&self) -> &Arc<str> {
        &self.id
    }

    /// What it holds.
    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }
}
