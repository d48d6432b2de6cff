//! The rules of all endpoints.

use std::sync::Arc;

use super::{Walk, forced, merge, votes};
use crate::catalog::Catalog;
use crate::document::{Document, Preset};
use crate::hints;
use crate::layers::{Inputs, Layer, ResolveError, assemble};
use crate::rule::{AuditMode, Rule};
use crate::selector::Kind;

/// What a policy comes to for every endpoint of a catalog. Immutable; a reload makes a new one.
#[derive(Debug)]
pub struct PolicySet {
    catalog: Arc<Catalog>,
    rules: Vec<Arc<Rule>>,
    default_audit: AuditMode,
    preset: Preset,
    base_dir: Option<String>,
    revision: String,
    is_configured: bool,
    hints: Vec<String>,
}

/// How much of a group is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupState<'a> {
    /// The group.
    pub name: &'a str,
    /// Its endpoints that are on.
    pub enabled: usize,
    /// All its endpoints.
    pub total: usize,
}

impl GroupState<'_> {
    /// Whether the group counts as on: at least one endpoint is, or it has none (`contract: policy §9`).
    pub fn is_on(&self) -> bool {
        self.enabled > 0 || self.total == 0
    }
}

impl PolicySet {
    /// Resolves a document against a catalog.
    ///
    /// # Errors
    /// [`ResolveError`] when something names a group or an endpoint that is not there, or sets on a single endpoint
    /// what that endpoint does not have.
    pub fn resolve(catalog: Arc<Catalog>, document: &Document, inputs: &Inputs<'_>) -> Result<Self, ResolveError> {
        let layers = assemble(&catalog, document, inputs)?;
        let rules: Vec<_> = catalog
            .endpoints()
            .iter()
            .map(|endpoint| {
                let mut rule = Rule::initial(endpoint);
                let walk = Walk::new(layers.iter().filter(|layer| layer.selects(endpoint)));
                rule.off = votes::turned_off(&walk);
                merge::merge(&mut rule, &walk);
                forced::apply(&mut rule);
                Arc::new(rule)
            })
            .collect();
        let hints = hints::hints(&layers, &rules);
        Ok(Self {
            default_audit: default_audit(&layers),
            preset: document.preset(),
            base_dir: document.base_dir().map(str::to_owned),
            revision: document.revision(),
            is_configured: document.is_configured(),
            catalog,
            rules,
            hints,
        })
    }

    /// The rules in the catalog's order.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// The rule of the endpoint with this id.
    pub fn rule(&self, id: &str) -> Option<&Arc<Rule>> {
        self.rules.get(self.catalog.position(id)?)
    }

    /// The table the policy was resolved against.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// The audit mode before an endpoint has been admitted (`contract: pipeline §9`).
    pub fn default_audit(&self) -> AuditMode {
        self.default_audit
    }

    /// The document's preset.
    pub fn preset(&self) -> Preset {
        self.preset
    }

    /// The document's base directory, as written.
    pub fn base_dir(&self) -> Option<&str> {
        self.base_dir.as_deref()
    }

    /// The document's revision: 16 hexadecimal digits.
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// Whether the document says anything.
    pub fn is_configured(&self) -> bool {
        self.is_configured
    }

    /// What of each group is on, in the catalog's order.
    pub fn groups(&self) -> impl Iterator<Item = GroupState<'_>> {
        self.catalog.groups().iter().map(|group| {
            let rules = || self.rules.iter().filter(|rule| rule.endpoint().group == group.name);
            let enabled = rules().filter(|rule| rule.is_enabled()).count();
            GroupState { name: &group.name, enabled, total: rules().count() }
        })
    }

    /// Remarks for the log at start: what is allowed but surely not meant. They do not count as warnings of
    /// `check-config`.
    pub fn hints(&self) -> &[String] {
        &self.hints
    }
}

/// The `audit` of the last layer for everything that has one.
fn default_audit(layers: &[Layer]) -> AuditMode {
    let everything = layers.iter().filter(|layer| layer.selector.kind() == Kind::Defaults);
    everything.filter_map(|layer| layer.rule.audit).next_back().unwrap_or_default()
}
