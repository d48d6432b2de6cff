//! The reports of `check-config`.

use abxd_policy::Rule;
use serde_json::{Value, json};

use crate::deployment::Deployment;

/// The rules by id, as the reports list them.
fn sorted(deployment: &Deployment) -> Vec<&Rule> {
    let mut rules: Vec<&Rule> = deployment.policy.rules().iter().map(|rule| &**rule).collect();
    rules.sort_by(|one, other| one.id().cmp(other.id()));
    rules
}

/// With `--json`.
pub(super) fn json(deployment: &Deployment, warnings: &[String]) -> Value {
    let rows: Vec<Value> = sorted(deployment).into_iter().map(row).collect();
    json!({"revision": deployment.policy.revision(), "endpoints": rows, "warnings": warnings})
}

fn row(rule: &Rule) -> Value {
    let paths = rule.paths();
    let mut row = json!({
        "endpoint": &**rule.id(),
        "group": rule.endpoint().group,
        "enabled": rule.is_enabled(),
        "rule": rule.origin().map(|origin| &origin.rule),
        "scopes": rule.scopes().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "limits": rule.limits().to_json(),
        "params": rule.params().to_json(),
        "paths": {
            "allow": paths.allow(),
            "deny": paths.deny().iter().map(|pattern| pattern.as_written()).collect::<Vec<_>>(),
            "read_only": paths.read_only(),
        },
    });
    let detail = rule.origin().and_then(|origin| origin.detail.as_ref());
    if let (Some(detail), Some(row)) = (detail, row.as_object_mut()) {
        row.insert("rule_detail".to_owned(), json!(detail));
    }
    row
}

/// For people.
pub(super) fn text(deployment: &Deployment, warnings: &[String]) -> String {
    let policy = &deployment.policy;
    let mut lines = vec![format!("preset {}, revision {}", policy.preset().as_str(), policy.revision())];
    for rule in sorted(deployment) {
        let state = if rule.is_enabled() { "[on ]" } else { "[off]" };
        let scopes: Vec<_> = rule.scopes().iter().map(ToString::to_string).collect();
        let scopes = if scopes.is_empty() { "-".to_owned() } else { scopes.join(" ") };
        lines.push(format!("{state} {:<40} {scopes}", rule.id()));
    }
    lines.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n")
}
