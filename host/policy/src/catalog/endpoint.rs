//! One endpoint of the table.

use std::sync::Arc;

use crate::{Access, LimitKeys, ParamKeys, Scope};

/// What is known of an endpoint, whatever the policy says. Comes from its plugin's manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointFacts {
    /// The one id that policy, audit, capabilities and clients use.
    pub id: Arc<str>,
    /// HTTP method, `WS` for a socket.
    pub method: String,
    /// Path pattern with `{name}` for parameters.
    pub path: String,
    /// The group it belongs to.
    pub group: String,
    /// Scopes a caller needs unless a rule says otherwise, in order.
    pub scopes: Vec<Scope>,
    /// Limits that a rule can set on it.
    pub limits: LimitKeys,
    /// Parameters that a rule can set on it.
    pub params: ParamKeys,
    /// Whether it takes paths, so that `paths` of a rule applies.
    pub paths: bool,
    /// Whether it can run programs.
    pub exec: bool,
    /// Whether its answer is a stream.
    pub streaming: bool,
    /// Whether a caller must authenticate.
    pub auth: bool,
    /// Whether it is served elsewhere than on the HTTP port (the terminal socket).
    pub is_virtual: bool,
    /// The operation that `POST /capabilities/check` judges paths for by default (`contract: policy §10`).
    pub default_access: Access,
    /// One line for people.
    pub summary: String,
}
