//! The checks that a manifest passes when it is read, in the order of its keys. The first fault ends them.

use std::collections::{HashMap, HashSet};

use crate::command::CommandDecl;
use crate::endpoint::{Access, Body, EndpointDecl, Method};
use crate::error::Fault;
use crate::keys::{COMMON_LIMITS, LIMITS, MALFORMED, PARAMS};
use crate::manifest::Manifest;
use crate::names::{is_header, is_interface, is_name, is_path, is_scope, is_version, parameter};
use crate::place::Place;

/// Headers by which a caller shows who it is (contract: pipeline §6), and their like.
const SECRET_HEADERS: [&str; 4] = ["authorization", "cookie", "proxy-authorization", "x-access-token"];

/// Group and id of the one endpoint that does not ask who is calling (seed: one pipeline).
const OPEN: (&str, &str) = ("core", "health");

/// A fault, and the place or key that has it.
type Checked<P> = Result<(), (P, Fault)>;

pub(crate) fn manifest(manifest: &Manifest) -> Checked<Place> {
    let at = |(key, fault)| (Place::Top(key), fault);
    top(manifest).map_err(at)?;
    manifest.budget.check().map_err(|(key, fault)| (Place::Budget(key), fault))?;
    let mut taken = Taken::default();
    for (index, decl) in manifest.endpoints.iter().enumerate() {
        let at = |(key, fault)| (Place::Endpoint { number: index + 1, id: decl.id.clone(), key }, fault);
        endpoint(&manifest.group, decl).and_then(|()| taken.add(decl)).map_err(at)?;
    }
    let mut names = HashSet::new();
    for (index, decl) in manifest.commands.iter().enumerate() {
        let at = |(key, fault)| (Place::Command { number: index + 1, name: decl.name.clone(), key }, fault);
        require("name", names.insert(&decl.name), || Fault::Repeated(decl.name.clone())).map_err(at)?;
        command(&manifest.endpoints, decl).map_err(at)?;
    }
    Ok(())
}

fn top(manifest: &Manifest) -> Checked<&'static str> {
    let Manifest { group, version, opt_in: _, imports, budget: _, endpoints, commands: _ } = manifest;
    require("group", is_name(group), || Fault::Name(group.clone()))?;
    require("version", is_version(version), || Fault::Version(version.clone()))?;
    each("imports", imports, is_interface, Fault::Interface)?;
    require("endpoint", !endpoints.is_empty(), || Fault::NoEndpoint)
}

fn endpoint(group: &str, decl: &EndpointDecl) -> Checked<&'static str> {
    require("id", is_name(&decl.id), || Fault::Name(decl.id.clone()))?;
    require("method", decl.method != Method::Ws || decl.is_virtual, || Fault::SocketNotVirtual)?;
    path(&decl.path).map_err(|fault| ("path", fault))?;
    require("summary", is_line(&decl.summary), || Fault::Blank)?;
    each("scopes", &decl.scopes, is_scope, Fault::Scope)?;
    each("limits", &decl.limits, |limit| !COMMON_LIMITS.contains(&limit), Fault::CommonLimit)?;
    each("limits", &decl.limits, |limit| LIMITS.contains(&limit), Fault::Limit)?;
    each("params", &decl.params, |param| PARAMS.contains(&param), Fault::Param)?;
    require("access", decl.paths || decl.access == Access::Read, || Fault::AccessWithoutPaths)?;
    require("auth", decl.auth || (group, decl.id.as_str()) == OPEN, || Fault::Anyone)?;
    each("headers", &decl.headers, is_header, Fault::Header)?;
    each("headers", &decl.headers, |header| !SECRET_HEADERS.contains(&header), Fault::SecretHeader)?;
    require("uncoded", !decl.uncoded || decl.body != Body::None, || Fault::WithoutBody)?;
    require("halves", decl.halves.is_empty() || decl.body != Body::None, || Fault::WithoutBody)?;
    let codes = decl.halves.values();
    codes
        .map(String::as_str)
        .try_for_each(|code| require("halves", MALFORMED.contains(&code), || Fault::Malformed(code.to_owned())))?;
    let Some(aside) = &decl.aside else { return Ok(()) };
    require("aside", is_line(aside), || Fault::Blank)?;
    require("aside", decl.body == Body::Json, || Fault::AsideWithoutJson)
}

fn command(endpoints: &[EndpointDecl], decl: &CommandDecl) -> Checked<&'static str> {
    require("name", !decl.name.is_empty(), || Fault::Blank)?;
    let is_known = endpoints.iter().any(|endpoint| endpoint.id == decl.endpoint && !endpoint.is_virtual);
    require("endpoint", is_known, || Fault::Endpoint(decl.endpoint.clone()))?;
    each("scopes", &decl.scopes, is_scope, Fault::Scope)?;
    let mut names = HashSet::new();
    for argument in &decl.args {
        require("args", !argument.name.is_empty(), || Fault::Blank)?;
        require("args", names.insert(&argument.name), || Fault::Repeated(argument.name.clone()))?;
        require("args", argument.has_fit_default(), || Fault::Default(argument.name.clone()))?;
    }
    Ok(())
}

fn path(path: &str) -> Result<(), Fault> {
    if !is_path(path) {
        return Err(Fault::Path(path.to_owned()));
    }
    let mut names = HashSet::new();
    match path.split('/').filter_map(parameter).find(|name| !names.insert(*name)) {
        Some(name) => Err(Fault::Repeated(name.to_owned())),
        None => Ok(()),
    }
}

/// What earlier endpoints of the manifest have taken.
#[derive(Default)]
struct Taken<'a> {
    ids: HashSet<&'a str>,
    /// Method, and path with its parameters made equal; to the endpoint's id.
    routes: HashMap<(Method, String), &'a str>,
}

impl<'a> Taken<'a> {
    fn add(&mut self, decl: &'a EndpointDecl) -> Checked<&'static str> {
        require("id", self.ids.insert(&decl.id), || Fault::TakenId(decl.id.clone()))?;
        let shape = decl.path.split('/').map(|part| if parameter(part).is_some() { "{}" } else { part });
        let shape = shape.collect::<Vec<_>>().join("/");
        match self.routes.insert((decl.method, shape), &decl.id) {
            None => Ok(()),
            Some(by) => {
                let (method, path, by) = (decl.method, decl.path.clone(), by.to_owned());
                Err(("path", Fault::TakenRoute { method, path, by }))
            }
        }
    }
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control)
}

fn require(key: &'static str, holds: bool, fault: impl FnOnce() -> Fault) -> Checked<&'static str> {
    if holds { Ok(()) } else { Err((key, fault())) }
}

/// Every text of a list is `right`, and there once.
fn each(
    key: &'static str,
    texts: &[String],
    right: impl Fn(&str) -> bool,
    fault: fn(String) -> Fault,
) -> Checked<&'static str> {
    let mut seen = HashSet::new();
    for text in texts {
        require(key, right(text), || fault(text.clone()))?;
        require(key, seen.insert(text), || Fault::Repeated(text.clone()))?;
    }
    Ok(())
}
