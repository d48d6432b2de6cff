//! What is served at one moment: the table, the policy over it, the plugins behind it.
//!
//! A deployment never changes. A reload makes a new one and swaps it in; requests in flight end on the one they began on.

mod build;
mod commands;
mod plugins;

use std::path::PathBuf;
use std::sync::Arc;

use abxd_body::SpoolConfig;
use abxd_guards::path::PathGuard;
use abxd_plugins::{Commands, Endpoint, Plugin};
use abxd_policy::{Identities, Limiter, PolicySet, Rule};

use crate::core::Native;
use crate::table::{Entry, Table};

pub use build::{BuildError, Inputs};
pub use plugins::{Added, AddedError, BudgetError, Collision, GroupsError, PluginState, SLOTS, Source};

/// Who answers the requests of an endpoint.
#[derive(Debug, Clone)]
pub enum Handler {
    /// The host itself: group `core`.
    Native(Arc<dyn Native>),
    /// The component of its group.
    Component(Arc<Plugin>),
    /// Nobody: the group has no component here, or it did not load.
    Absent(Arc<str>),
}

/// One endpoint with everything that decides over it.
#[derive(Debug)]
pub struct Served {
    /// As declared.
    pub entry: Arc<Entry>,
    /// The rule in force. Also within `endpoint`.
    pub rule: Arc<Rule>,
    /// What a component's imports work under.
    pub endpoint: Arc<Endpoint>,
    /// Who answers.
    pub handler: Handler,
}

impl Served {
    /// The endpoint's id.
    #[must_use]
    pub fn id(&self) -> &Arc<str> {
        &self.entry.facts.id
    }

    /// The path guard of its rule.
    #[must_use]
    pub fn guard(&self) -> &Arc<PathGuard> {
        &self.endpoint.guard
    }
}

/// The whole.
#[derive(Debug)]
pub struct Deployment {
    /// Every endpoint.
    pub table: Table,
    /// The same, in the same order, with rule and handler.
    pub served: Vec<Arc<Served>>,
    /// The policy.
    pub policy: PolicySet,
    /// Who may come in.
    pub identities: Identities,
    /// Buckets and slots; they outlive a reload.
    pub limiter: Arc<Limiter>,
    /// The directory that bounds every path without a rule of its own.
    pub base_dir: PathBuf,
    /// State of each group's plugin.
    pub plugins: Vec<PluginState>,
    /// Where values of request bodies are kept aside.
    pub spool: SpoolConfig,
    /// What can be called by name.
    pub commands: Arc<Commands>,
}

impl Deployment {
    /// An endpoint by its id.
    #[must_use]
    pub fn endpoint(&self, id: &str) -> Option<&Arc<Served>> {
        self.served.iter().find(|served| **served.id() == *id)
    }
}
