//! The rule that holds for one endpoint once every layer has spoken.

mod audit;
mod origin;
mod paths;
mod symlinks;

use std::sync::Arc;

pub use audit::AuditMode;
pub use origin::Origin;
pub use paths::PathSettings;
pub use symlinks::Symlinks;

use crate::catalog::EndpointFacts;
use crate::limits::Limits;
use crate::params::Params;
use crate::scope::Scope;

/// What holds for one endpoint. Made by resolution only; immutable.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub(crate) endpoint: Arc<EndpointFacts>,
    /// What turned the endpoint off, if it is off.
    pub(crate) off: Option<Origin>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) audit: AuditMode,
    pub(crate) paths: PathSettings,
    pub(crate) limits: Limits,
    pub(crate) params: Params,
}

impl Rule {
    /// The rule of an endpoint that no layer speaks of.
    pub(crate) fn initial(endpoint: &Arc<EndpointFacts>) -> Self {
        Self {
            endpoint: Arc::clone(endpoint),
            off: None,
            scopes: endpoint.scopes.clone(),
            audit: AuditMode::default(),
            paths: PathSettings::default(),
            limits: Limits::default(),
            params: Params::default(),
        }
    }

    /// The endpoint.
    pub fn endpoint(&self) -> &Arc<EndpointFacts> {
        &self.endpoint
    }

    /// The endpoint's id.
    pub fn id(&self) -> &Arc<str> {
        &self.endpoint.id
    }

    /// Whether the endpoint is on.
    pub fn is_enabled(&self) -> bool {
        self.off.is_none()
    }

    /// What turned the endpoint off; `None` exactly when it is on.
    pub fn origin(&self) -> Option<&Origin> {
        self.off.as_ref()
    }

    /// The scopes a caller needs, in order, all of them.
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// What the audit log gets once the endpoint has been admitted.
    pub fn audit(&self) -> AuditMode {
        self.audit
    }

    /// What the path guard goes by.
    pub fn paths(&self) -> &PathSettings {
        &self.paths
    }

    /// The limits that are set.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The parameters that are set.
    pub fn params(&self) -> &Params {
        &self.params
    }
}
