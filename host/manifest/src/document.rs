//! The form in which a manifest is written, and nothing more: what may be left out, and what that means.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::budget::BudgetDecl;
use crate::command::CommandDecl;
use crate::endpoint::{Access, Body, EndpointDecl, Method};
use crate::manifest::Manifest;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    group: String,
    version: String,
    #[serde(default, skip_serializing_if = "is_false")]
    opt_in: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    imports: Vec<String>,
    #[serde(default, skip_serializing_if = "BudgetDecl::is_empty")]
    budget: BudgetDecl,
    #[serde(default)]
    endpoint: Vec<Endpoint>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    command: Vec<CommandDecl>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Endpoint {
    id: String,
    method: Method,
    path: String,
    summary: String,
    scopes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    limits: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    params: Vec<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    paths: bool,
    #[serde(default, skip_serializing_if = "is_read")]
    access: Access,
    #[serde(default, skip_serializing_if = "is_false")]
    exec: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    streaming: bool,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    auth: bool,
    #[serde(default, rename = "virtual", skip_serializing_if = "is_false")]
    is_virtual: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    headers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Body>,
    #[serde(default, skip_serializing_if = "is_false")]
    uncoded: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aside: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    halves: BTreeMap<String, String>,
}

impl From<Document> for Manifest {
    fn from(document: Document) -> Self {
        let Document { group, version, opt_in, imports, budget, endpoint, command } = document;
        let endpoints = endpoint.into_iter().map(EndpointDecl::from).collect();
        Self { group, version, opt_in, imports, budget, endpoints, commands: command }
    }
}

impl From<Endpoint> for EndpointDecl {
    fn from(written: Endpoint) -> Self {
        Self {
            body: written.body.unwrap_or(written.method.usual_body()),
            id: written.id,
            method: written.method,
            path: written.path,
            summary: written.summary,
            scopes: written.scopes,
            limits: written.limits,
            params: written.params,
            paths: written.paths,
            access: written.access,
            exec: written.exec,
            streaming: written.streaming,
            auth: written.auth,
            is_virtual: written.is_virtual,
            headers: written.headers,
            uncoded: written.uncoded,
            aside: written.aside,
            halves: written.halves,
        }
    }
}

impl From<&Manifest> for Document {
    fn from(manifest: &Manifest) -> Self {
        Self {
            group: manifest.group.clone(),
            version: manifest.version.clone(),
            opt_in: manifest.opt_in,
            imports: manifest.imports.clone(),
            budget: manifest.budget,
            endpoint: manifest.endpoints.iter().map(Endpoint::from).collect(),
            command: manifest.commands.clone(),
        }
    }
}

impl From<&EndpointDecl> for Endpoint {
    fn from(decl: &EndpointDecl) -> Self {
        Self {
            id: decl.id.clone(),
            method: decl.method,
            path: decl.path.clone(),
            summary: decl.summary.clone(),
            scopes: decl.scopes.clone(),
            limits: decl.limits.clone(),
            params: decl.params.clone(),
            paths: decl.paths,
            access: decl.access,
            exec: decl.exec,
            streaming: decl.streaming,
            auth: decl.auth,
            is_virtual: decl.is_virtual,
            headers: decl.headers.clone(),
            body: (decl.body != decl.method.usual_body()).then_some(decl.body),
            uncoded: decl.uncoded,
            aside: decl.aside.clone(),
            halves: decl.halves.clone(),
        }
    }
}

const fn yes() -> bool {
    true
}

const fn is_true(value: &bool) -> bool {
    *value
}

const fn is_false(value: &bool) -> bool {
    !*value
}

fn is_read(value: &Access) -> bool {
    *value == Access::Read
}
