//! Warnings about policies that are valid and risky (`contract: policy §11`): L1 to L4. L5 looks at files and is the
//! caller's.

use std::collections::BTreeSet;

use crate::identity::{Identities, Identity};
use crate::params::ParamKey;
use crate::resolve::PolicySet;
use crate::rule::Rule;

/// The warnings, sorted, each once, each beginning with its id and a colon.
pub fn lint(policy: &PolicySet, identities: &Identities) -> Vec<String> {
    let mut warnings = BTreeSet::new();
    warnings.extend(identities.iter().filter_map(|identity| exec_beside_paths(policy, identity)));
    for rule in policy.rules() {
        warnings.extend(whole_root(rule));
        warnings.extend(no_overwrite_anywhere(rule));
    }
    warnings.extend(everything_among_several(identities));
    warnings.into_iter().collect()
}

/// L1: path rules that a caller can get around, because it can run programs too.
fn exec_beside_paths(policy: &PolicySet, identity: &Identity) -> Option<String> {
    let mut usable = policy.rules().iter().filter(|rule| rule.admit(identity).is_ok());
    let is_confined = |rule: &Rule| rule.endpoint().paths && rule.paths().is_configured();
    let confined = usable.clone().find(|rule| is_confined(rule))?;
    let exec = usable.find(|rule| rule.endpoint().exec)?;
    let (id, confined, exec) = (identity.id(), confined.id(), exec.id());
    Some(format!("L1: `{id}` can use {exec}, which gets around the path rules of {confined}: programs open any path"))
}

/// L2: a root that is the whole file system.
fn whole_root(rule: &Rule) -> Option<String> {
    rule.paths()
        .allow()
        .iter()
        .any(|path| is_root(path))
        .then(|| format!("L2: paths.allow of {} contains `/`, which admits everything", rule.id()))
}

/// L3: several tokens, one of which may do everything.
fn everything_among_several(identities: &Identities) -> Vec<String> {
    let tokens: Vec<_> = identities.tokens().collect();
    if tokens.len() < 2 {
        return Vec::new();
    }
    let mighty = tokens.iter().filter(|identity| identity.scopes().holds_everything());
    mighty.map(|identity| format!("L3: the token `{}` holds `*` while there are others", identity.id())).collect()
}

/// L4: uploads may not overwrite, but may go anywhere.
fn no_overwrite_anywhere(rule: &Rule) -> Option<String> {
    let is_set = rule.params().keys().any(|key| key == ParamKey::Overwrite);
    (is_set && !rule.params().overwrite() && rule.paths().allow().is_empty())
        .then(|| format!("L4: {} has overwrite off but no paths.allow", rule.id()))
}

/// Whether an absolute path is `/` once `.`, `..` and slashes are taken out.
fn is_root(path: &str) -> bool {
    let mut depth = 0_usize;
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => depth = depth.saturating_sub(1),
            _ => depth += 1,
        }
    }
    depth == 0
}
