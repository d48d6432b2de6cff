//! One layer: a selector, a rule, and where it comes from.

use crate::catalog::EndpointFacts;
use crate::document::{Preset, RuleSection};
use crate::rule::Origin;
use crate::selector::Selector;

/// How strong a source is among rules of one kind (`contract: policy §5`); the order is that of resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    BuiltIn,
    Code,
    Preset,
    Document,
    Environment,
}

/// Where a layer comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// The group is off until something turns it on.
    OptIn { group: String },
    /// A commands file switches the group.
    Code { group: String },
    /// Part of a preset.
    Preset { preset: Preset, detail: String },
    /// Part of the document: `defaults`, `groups.…` or `endpoints.…`.
    Document { part: String },
    /// `ABX_SERVER_ENABLED_GROUPS` names the group.
    Environment { group: String },
}

/// A rule for everything its selector selects.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layer {
    pub(crate) selector: Selector,
    pub(crate) rule: RuleSection,
    pub(crate) source: Source,
}

impl Layer {
    /// A layer that only switches a group.
    pub(super) fn switch(group: &str, enabled: bool, source: Source) -> Self {
        Self { selector: Selector::Group(group.to_owned()), rule: RuleSection::switch(enabled), source }
    }

    pub(crate) fn selects(&self, endpoint: &EndpointFacts) -> bool {
        self.selector.selects(endpoint)
    }
}

impl Source {
    pub(crate) fn rank(&self) -> Rank {
        match self {
            Self::OptIn { .. } => Rank::BuiltIn,
            Self::Code { .. } => Rank::Code,
            Self::Preset { .. } => Rank::Preset,
            Self::Document { .. } => Rank::Document,
            Self::Environment { .. } => Rank::Environment,
        }
    }

    /// The text that a refusal names the layer by.
    pub(crate) fn origin(&self) -> Origin {
        let (rule, detail) = match self {
            Self::OptIn { group } => (format!("default:opt-in:{group}"), None),
            Self::Code { group } => (format!("code:enable_group:{group}"), None),
            Self::Preset { preset, detail } => (format!("preset:{preset}"), Some(detail.clone())),
            Self::Document { part } => (format!("policy:{part}"), None),
            Self::Environment { group } => (format!("env:{}:{group}", super::GROUPS_VARIABLE), None),
        };
        Origin { rule, detail }
    }
}
