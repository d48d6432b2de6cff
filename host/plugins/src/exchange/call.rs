//! One call: under which rule, for whom, with what.

use std::collections::BTreeMap;
use std::sync::Arc;

use abxd_body::{JsonError, SpoolConfig};
use abxd_guards::extension::ExtensionRule;
use abxd_guards::path::PathGuard;
use abxd_guards::url::UrlGuard;
use abxd_policy::{Identity, Rule};

use super::{Client, Denial, ProgramGuards, Trail, Upload};
use crate::{Commands, Machine};

/// An endpoint as the imports of its component see it. Made once for a deployment.
#[derive(Debug)]
pub struct Endpoint {
    /// The endpoint's id.
    pub id: Arc<str>,
    /// The rule in force.
    pub rule: Arc<Rule>,
    /// The path guard of the rule.
    pub guard: Arc<PathGuard>,
    /// The guard of the URLs that it is given.
    pub urls: Arc<UrlGuard>,
    /// The guards of what it starts.
    pub programs: ProgramGuards,
    /// The extension rule of its uploads.
    pub extensions: Arc<ExtensionRule>,
    /// What half a character in a member of a JSON body is called, by member (see the manifest's `halves`).
    pub halves: BTreeMap<String, String>,
    /// Where bulk values are kept aside.
    pub spool: SpoolConfig,
    /// What the server owns of the machine. None where nothing is served.
    pub machine: Option<Machine>,
}

impl Endpoint {
    /// What the endpoint calls a fault of its body, if it is one of a value and not of the whole.
    #[must_use]
    pub fn denial_of(&self, fault: &JsonError) -> Option<Denial> {
        let JsonError::LoneSurrogate { member: Some(member), .. } = fault else { return None };
        let code = self.halves.get(member)?.clone();
        Some(Denial { code, message: format!("{member}: half a character is no text") })
    }
}

/// The context of one call. The pipeline makes it; it stands in the store while the call lasts, out of the component's
/// reach.
#[derive(Debug, Clone)]
pub struct Call {
    /// What is served.
    pub endpoint: Arc<Endpoint>,
    /// For whom.
    pub identity: Arc<Identity>,
    /// Who waits for the answer.
    pub client: Client,
    /// The paths that guards let through.
    pub trail: Trail,
    /// The commands of the deployment that serves it.
    pub commands: Arc<Commands>,
}

/// A request as a handler gets it.
#[derive(Debug)]
pub struct Request {
    /// The `{name}` segments, decoded, in order.
    pub path_params: Vec<String>,
    /// Decoded, without blank values, every name once.
    pub query: Vec<(String, String)>,
    /// Those that the manifest asks for.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: InBody,
}

/// The body of a [`Request`].
#[derive(Debug)]
pub enum InBody {
    /// The endpoint takes none.
    None,
    /// A JSON object, checked.
    Json(Vec<u8>),
    /// A JSON object, and the bulk member that was taken out of it.
    JsonAside(Vec<u8>, Upload),
    /// Not read yet.
    Unread(Upload),
}
