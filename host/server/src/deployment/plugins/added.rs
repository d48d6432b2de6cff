//! Components of third parties: which files, what they are granted, and what is believed of what they say.

mod collision;
mod error;
mod grants;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_manifest::Manifest;
use abxd_plugins::component::imported;
use abxd_plugins::instance::Settings;
use abxd_plugins::{Compiler, Grant, LoadError, Package, Plugin, Runtime};
use abxd_policy::PluginSection;
use wasmtime::Engine;
use wasmtime::component::Component;

use super::budget;
pub use collision::Collision;
pub use error::AddedError;

/// What the operator names.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// Files, and directories whose `*.wasm` are taken.
    pub places: Vec<PathBuf>,
    /// `GROUP:interface,interface`.
    pub grants: Vec<String>,
}

/// A component that is compiled and may be linked to what it was granted.
#[derive(Debug, Clone)]
pub struct Added {
    /// What it says of itself, corrected by what it can do.
    pub manifest: Manifest,
    /// SHA-256 of its file.
    pub digest: String,
    /// Its code.
    pub component: Component,
    file: PathBuf,
    grant: Grant,
    settings: Settings,
}

impl Added {
    /// Read, check and compile every plugin that the command line and the policy name, beside the groups of `built_in`;
    /// the code of those in `known` is used again. Blocks.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn all(
        source: &Source,
        sections: &[PluginSection],
        built_in: &[Manifest],
        engine: &Engine,
        compiler: &Compiler,
        known: &[Self],
    ) -> Result<Vec<Self>, AddedError> {
        let packages = packages(source, sections)?;
        let grants = grants::all(source, sections, &packages)?;
        let mut added: Vec<Self> = Vec::new();
        for package in packages {
            let (group, file) = (package.manifest.group.clone(), package.file.clone());
            if is_built_in(&group) {
                return Err(AddedError::BuiltIn { file, group });
            }
            if let Some(other) = added.iter().find(|added| added.manifest.group == group) {
                return Err(AddedError::Twice { one: other.file.clone(), other: file, group });
            }
            let others = built_in.iter().chain(added.iter().map(|added| &added.manifest));
            if let Some(collision) = collision::find(&package.manifest, others) {
                return Err(AddedError::Collision { file, collision: Box::new(collision) });
            }
            let settings = budget::of_added(&package.manifest, &file, sections)?;
            let names = grants.get(&group).into_iter().flatten().map(String::as_str);
            let grant = Grant::of(names).map_err(|cause| AddedError::Grant { group, cause })?;
            let component = match known.iter().find(|known| known.digest == package.digest) {
                Some(known) => known.component.clone(),
                None => compiler.compile(engine, &package)?,
            };
            let manifest = corrected(&package, &imported(engine, &component))?;
            added.push(Self { manifest, digest: package.digest, component, file, grant, settings });
        }
        Ok(added)
    }

    /// Link it to what it was granted.
    pub(super) fn link(&self, runtime: &Runtime) -> Result<Plugin, LoadError> {
        let group: Arc<str> = self.manifest.group.as_str().into();
        Plugin::link(runtime, &self.component, &self.file, group, &self.grant, self.settings.clone())
    }

    /// Where it was read.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Requests at the same time.
    pub(super) fn slots(&self) -> usize {
        self.settings.slots
    }
}

/// Whether a group is one of the contract's nine.
fn is_built_in(group: &str) -> bool {
    abxd_policy::BUILT_IN_GROUPS.iter().any(|(known, _)| *known == group)
}

/// What the command line names, then what the policy names; a file that both name is read once.
fn packages(source: &Source, sections: &[PluginSection]) -> Result<Vec<Package>, AddedError> {
    let mut packages: Vec<Package> = Vec::new();
    for file in files(&source.places)? {
        packages.push(Package::read(&file)?);
    }
    for section in sections {
        let Some(file) = section.file.as_deref().map(Path::new) else { continue };
        if !packages.iter().any(|package| package.file == file) {
            packages.push(Package::read(file)?);
        }
        let group = packages.iter().find(|package| package.file == file).map(|package| &package.manifest.group);
        if let Some(group) = group.filter(|group| **group != section.group) {
            let (named, file, group) = (section.group.clone(), file.to_owned(), group.clone());
            return Err(AddedError::OtherGroup { named, file, group });
        }
    }
    Ok(packages)
}

/// The files of the places, those of a directory by name.
fn files(places: &[PathBuf]) -> Result<Vec<PathBuf>, AddedError> {
    let mut files = Vec::new();
    for place in places {
        if !place.is_dir() {
            files.push(place.clone());
            continue;
        }
        let unreadable = |cause| AddedError::Place { place: place.clone(), cause };
        let entries = std::fs::read_dir(place).map_err(unreadable)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
        let mut paths = paths.map_err(unreadable)?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "wasm"));
        paths.sort();
        files.extend(paths);
    }
    Ok(files)
}

/// Interfaces whose functions take paths.
const PATHS: [&str; 3] = ["files", "git", "process"];

/// Interfaces that run what a request says, programs or pages, which rules for paths have no say in.
const EXEC: [&str; 4] = ["browser", "code", "process", "terminal"];

/// The manifest as far as it is believed (decision D71): what an endpoint can do follows from what the component
/// reaches, and nobody calls it without a scope.
fn corrected(package: &Package, reaches: &[String]) -> Result<Manifest, AddedError> {
    let mut manifest = package.manifest.clone();
    let wrong = |endpoint: &str, why| AddedError::Endpoint {
        file: Path::to_owned(&package.file),
        endpoint: endpoint.to_owned(),
        why,
    };
    for endpoint in &mut manifest.endpoints {
        if !endpoint.auth {
            return Err(wrong(&endpoint.id, "`auth = false` is for the host's own `health`"));
        }
        if endpoint.is_virtual {
            return Err(wrong(&endpoint.id, "a plugin's endpoints are served over HTTP"));
        }
        if endpoint.scopes.is_empty() {
            endpoint.scopes = vec![format!("{}:use", manifest.group)];
        }
        endpoint.paths = reaches.iter().any(|interface| PATHS.contains(&interface.as_str()));
        endpoint.exec = reaches.iter().any(|interface| EXEC.contains(&interface.as_str()));
    }
    for command in &mut manifest.commands {
        if command.scopes.is_empty() {
            command.scopes = vec![format!("{}:use", manifest.group)];
        }
    }
    Ok(manifest)
}
