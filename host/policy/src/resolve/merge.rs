//! Everything of a rule but the switch.

use super::Walk;
use crate::catalog::EndpointFacts;
use crate::document::{PathsSection, RuleSection};
use crate::params::add_new;
use crate::rule::{PathSettings, Rule};

/// Takes over what each layer says, in order. Later ones replace, deny lists grow. What the endpoint does not have is
/// skipped.
pub(super) fn merge(rule: &mut Rule, walk: &Walk<'_>) {
    for layer in walk.layers() {
        take(rule, &layer.rule);
    }
}

fn take(rule: &mut Rule, later: &RuleSection) {
    let EndpointFacts { paths: has_paths, limits: accepted_limits, params: accepted_params, .. } = *rule.endpoint;
    if let Some(scopes) = &later.scopes {
        rule.scopes.clone_from(scopes);
    }
    if let Some(audit) = later.audit {
        rule.audit = audit;
    }
    if let Some(paths) = later.paths.as_ref().filter(|_| has_paths) {
        take_paths(&mut rule.paths, paths);
    }
    if let Some(limits) = &later.limits {
        rule.limits.overlay(limits, accepted_limits);
    }
    if let Some(params) = &later.params {
        rule.params.overlay(params, accepted_params);
    }
}

fn take_paths(paths: &mut PathSettings, later: &PathsSection) {
    if let Some(allow) = &later.allow {
        paths.allow.clone_from(allow);
    }
    if let Some(deny) = &later.deny {
        add_new(&mut paths.deny, deny);
    }
    if let Some(read_only) = later.read_only {
        paths.read_only = read_only;
    }
    if let Some(symlinks) = later.symlinks {
        paths.symlinks = symlinks;
    }
}
