//! `POST /capabilities/check` (contract: policy §10): would a call be allowed?

use std::sync::Arc;

use abxd_guards::path::{self, PathDenial, PathGuard};
use abxd_plugins::{InBody, Request};
use abxd_policy::{Access, Identity, Refusal};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Handling, Native};
use crate::deployment::Deployment;
use crate::machine;
use crate::pipeline::Permit;

/// The dry run.
#[derive(Debug)]
pub(super) struct Check;

impl Native for Check {
    fn handle<'a>(&'a self, permit: &'a Permit, request: Request) -> Handling<'a> {
        Box::pin(async move {
            let question = Question::parse(request).map_err(|message| super::fault(400, "ValueError", message))?;
            let (deployment, identity) = (permit.deployment().clone(), permit.identity().clone());
            // The guard looks at the disk.
            let judged = tokio::task::spawn_blocking(move || judge(&deployment, &identity, &question)).await;
            match judged {
                Ok(verdict) => super::json(&verdict),
                Err(_) => Err(super::fault(500, "RuntimeError", "the check was interrupted")),
            }
        })
    }
}

/// What is asked.
#[derive(Debug, Default)]
pub struct Question {
    /// An endpoint's id.
    pub endpoint: String,
    /// Paths to check, in order.
    pub paths: Vec<String>,
    /// How the paths would be used; as the endpoint uses them where it is absent.
    pub access: Option<Access>,
}

impl Question {
    fn parse(request: Request) -> Result<Self, &'static str> {
        let text = match request.body {
            InBody::Json(text) => text,
            _ => b"{}".to_vec(),
        };
        let body: Map<String, Value> = serde_json::from_slice(&text).map_err(|_| "the body is not a JSON object")?;
        let endpoint = match body.get("endpoint") {
            Some(Value::String(endpoint)) if !endpoint.is_empty() => endpoint.clone(),
            _ => return Err("endpoint must be the id of an endpoint"),
        };
        let mut paths = Vec::new();
        match body.get("path") {
            None | Some(Value::Null) => {}
            Some(Value::String(path)) => paths.push(path.clone()),
            Some(_) => return Err("path must be a string"),
        }
        match body.get("paths") {
            None | Some(Value::Null) => {}
            Some(Value::Array(more)) => {
                for path in more {
                    paths.push(path.as_str().ok_or("paths must be a list of strings")?.to_owned());
                }
            }
            Some(_) => return Err("paths must be a list of strings"),
        }
        let access = match body.get("op") {
            None | Some(Value::Null) => None,
            Some(op) => {
                let known = op.as_str().and_then(Access::parse);
                Some(known.ok_or("op must be read, write, delete or exec")?)
            }
        };
        Ok(Self { endpoint, paths, access })
    }
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Verdict {
    /// The endpoint asked about.
    pub endpoint: String,
    /// Whether the call would be allowed.
    pub allowed: bool,
    /// The contract's code of the refusal.
    pub code: Option<String>,
    /// For people.
    pub reason: Option<String>,
    /// What switched the endpoint off: present for `endpoint_disabled`, null for `missing_scope`, else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Option<String>>,
    /// What decided inside a preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_detail: Option<String>,
}

/// Judge a question. Blocks: the path guard looks at the disk.
#[must_use]
pub fn judge(deployment: &Arc<Deployment>, identity: &Identity, question: &Question) -> Verdict {
    let verdict = |code: &str, reason: String| Verdict {
        endpoint: question.endpoint.clone(),
        allowed: false,
        code: Some(code.to_owned()),
        reason: Some(reason),
        rule: None,
        rule_detail: None,
    };
    let Some(served) = deployment.endpoint(&question.endpoint) else {
        return verdict("unknown_endpoint", "there is no endpoint with this id".to_owned());
    };
    match served.rule.admit(identity) {
        Err(Refusal::Disabled { origin }) => {
            let reason = format!("the endpoint is disabled by {}", origin.rule);
            return Verdict {
                rule: Some(Some(origin.rule.to_string())),
                rule_detail: origin.detail.map(|detail| detail.to_string()),
                ..verdict("endpoint_disabled", reason)
            };
        }
        Err(Refusal::MissingScope { scope }) => {
            return Verdict { rule: Some(None), ..verdict("missing_scope", format!("scope {scope} is missing")) };
        }
        Ok(()) => {}
    }
    let access = machine::access(question.access.unwrap_or(served.entry.facts.default_access));
    if let Some(denial) = first_denial(served.guard(), &question.paths, access) {
        return verdict(denial.code(), denial.to_string());
    }
    Verdict {
        endpoint: question.endpoint.clone(),
        allowed: true,
        code: None,
        reason: None,
        rule: None,
        rule_detail: None,
    }
}

fn first_denial(guard: &Arc<PathGuard>, paths: &[String], access: path::Access) -> Option<PathDenial> {
    paths.iter().find_map(|path| guard.check(path.as_bytes(), access).err())
}
