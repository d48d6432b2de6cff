//! `GET /capabilities` (contract: policy §9).

use abxd_plugins::Request;
use abxd_policy::{Identity, Refusal};
use serde_json::{Map, Value, json};

use super::{Handling, Native};
use crate::deployment::{Deployment, Served};
use crate::pipeline::Permit;

/// Version of the document's form.
const API_VERSION: u32 = 2;

/// The discovery document, as its caller may see it.
#[derive(Debug)]
pub(super) struct Capabilities;

impl Native for Capabilities {
    fn handle<'a>(&'a self, permit: &'a Permit, _: Request) -> Handling<'a> {
        let document = document(permit.deployment(), permit.identity());
        Box::pin(std::future::ready(super::json(&document)))
    }
}

fn document(deployment: &Deployment, identity: &Identity) -> Value {
    let policy = &deployment.policy;
    let (mut groups, mut summary) = (Map::new(), Map::new());
    for group in policy.groups() {
        groups.insert(group.name.to_string(), json!(group.enabled > 0 || group.total == 0));
        summary.insert(group.name.to_string(), json!({"enabled": group.enabled, "total": group.total}));
    }
    let entries = deployment.served.iter().map(|served| (served.id().to_string(), entry(served, identity)));
    let held = identity.scopes();
    let warnings = match deployment.identities.has_tokens() && held.holds_everything() {
        true => vec!["this token holds every scope; give each client a token with the scopes it needs"],
        false => vec![],
    };
    let scopes: Vec<_> = held.iter().map(ToString::to_string).collect();
    json!({
        "api_version": API_VERSION,
        "server_version": env!("CARGO_PKG_VERSION"),
        "groups": groups,
        "group_summary": summary,
        "identity": {"id": &**identity.id(), "scopes": scopes},
        "policy": {
            "preset": policy.preset().as_str(),
            "revision": policy.revision(),
            "configured": policy.is_configured(),
        },
        "endpoints": entries.collect::<Map<_, _>>(),
        "warnings": warnings,
        "plugins": deployment.plugins,
    })
}

/// One endpoint. The keys are fixed; what is not allowed lacks the last three.
fn entry(served: &Served, identity: &Identity) -> Value {
    let (facts, rule) = (&served.entry.facts, &served.rule);
    let reason = rule.admit(identity).err().map(|refusal| match refusal {
        Refusal::Disabled { .. } => "endpoint_disabled",
        Refusal::MissingScope { .. } => "missing_scope",
    });
    let mut entry = json!({
        "method": facts.method,
        "path": facts.path,
        "group": facts.group,
        "summary": facts.summary,
        "streaming": facts.streaming,
        "enabled": rule.is_enabled(),
        "allowed": reason.is_none(),
        "reason": reason,
        "rule": rule.origin().map(|origin| &origin.rule),
        "scopes": rule.scopes().iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if reason.is_none()
        && let Some(entry) = entry.as_object_mut()
    {
        entry.insert("limits".to_owned(), Value::Object(rule.limits().to_json()));
        entry.insert("params".to_owned(), Value::Object(rule.params().to_json()));
        if facts.paths {
            entry.insert("paths".to_owned(), rule.paths().to_json());
        }
    }
    entry
}
