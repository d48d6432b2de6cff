//! The server: the deployment in force.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::deployment::Deployment;
use crate::machine::url_rule;

/// Holds the deployment that new requests are served by. Requests in flight hold the one that they began on.
#[derive(Debug)]
pub struct Server {
    deployment: ArcSwap<Deployment>,
}

impl Server {
    /// Serve a deployment. Must be called inside the runtime.
    #[must_use]
    pub fn new(deployment: Deployment) -> Arc<Self> {
        rule_browser(&deployment);
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
        rule_browser(&deployment);
        self.deployment.store(Arc::new(deployment));
    }
}

/// The endpoint whose rule judges what pages ask for by themselves (contract: browser, URL guard).
const NAVIGATE: &str = "browser_navigate";

/// The browser goes by the deployment's rule from now on. Pages of identities that are gone are closed, and all of them where
/// the group is off.
fn rule_browser(deployment: &Deployment) {
    let Some(navigate) = deployment.endpoint(NAVIGATE) else { return };
    let Some(machine) = &navigate.endpoint.machine else { return };
    machine.browser.set_rule(url_rule(navigate.rule.params()));
    let group = &navigate.entry.facts.group;
    let is_on = deployment.served.iter().any(|served| served.entry.facts.group == *group && served.rule.is_enabled());
    machine.browser.retain(|identity| is_on && deployment.identities.iter().any(|known| **known.id() == *identity));
}
