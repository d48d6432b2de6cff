//! Step 1: match method and path to an endpoint.

use std::sync::Arc;

use http::request::Parts;

use crate::deployment::{Deployment, Served};
use crate::table::{Found, route_path};

/// Id of the endpoint whose requests come at the terminal port.
const SOCKET: &str = "pty_connect";

/// A request that matched an endpoint.
#[derive(Debug)]
pub struct Route {
    deployment: Arc<Deployment>,
    served: Arc<Served>,
    params: Vec<String>,
}

/// A request that matched none. Carries the path that "Not found" names.
#[derive(Debug, thiserror::Error)]
#[error("Not found: {0}")]
pub struct Unmatched(pub String);

impl Route {
    /// Find the endpoint.
    ///
    /// # Errors
    /// [`Unmatched`]: no endpoint has this method and path.
    pub fn find(deployment: Arc<Deployment>, head: &Parts) -> Result<Self, Unmatched> {
        let path = route_path(head.uri.path());
        let Some(Found { position, params }) = deployment.table.routes().find(head.method.as_str(), &path) else {
            return Err(Unmatched(path));
        };
        let Some(served) = deployment.served.get(position).cloned() else { return Err(Unmatched(path)) };
        Ok(Self { deployment, served, params })
    }

    /// The endpoint of the terminal socket, which has a port and no path of its own. `None`: there is no such endpoint.
    #[must_use]
    pub fn socket(deployment: Arc<Deployment>) -> Option<Self> {
        let served = deployment.endpoint(SOCKET)?.clone();
        Some(Self { deployment, served, params: Vec::new() })
    }

    /// The deployment that the request is served by, to its end.
    #[must_use]
    pub fn deployment(&self) -> &Arc<Deployment> {
        &self.deployment
    }

    /// The endpoint.
    #[must_use]
    pub fn served(&self) -> &Arc<Served> {
        &self.served
    }

    /// The `{name}` segments, decoded, in order.
    #[must_use]
    pub fn params(&self) -> &[String] {
        &self.params
    }
}
