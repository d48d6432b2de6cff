//! The server: the deployment in force.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::deployment::Deployment;

/// Holds the deployment that new requests are served by. Requests in flight hold the one that they began on.
#[derive(Debug)]
pub struct Server {
    deployment: ArcSwap<Deployment>,
}

impl Server {
    /// Serve a deployment.
    #[must_use]
    pub fn new(deployment: Deployment) -> Arc<Self> {
        Arc::new(Self { deployment: ArcSwap::from_pointee(deployment) })
    }

    /// The deployment in force.
    #[must_use]
    pub fn deployment(&self) -> Arc<Deployment> {
        self.deployment.load_full()
    }

    /// Serve another deployment from now on. Buckets and slots of identities and endpoints that are gone go too.
    pub fn replace(&self, deployment: Deployment) {
        let identities: Vec<_> = deployment.identities.iter().map(|identity| identity.id().clone()).collect();
        deployment.limiter.retain(|identity, endpoint| {
            identities.iter().any(|known| **known == *identity) && deployment.endpoint(endpoint).is_some()
        });
        self.deployment.store(Arc::new(deployment));
    }
}
