//! Components of third parties: which files, what they are granted, and what is believed of what they say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_manifest::Manifest;
use abxd_plugins::component::{GrantError, imported};
use abxd_plugins::instance::Settings;
use abxd_plugins::{CompileError, Compiler, Grant, LoadError, Package, PackageError, Plugin};
use abxd_policy::PluginSection;
use wasmtime::Engine;
use wasmtime::component::Component;

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
}

/// Why a plugin or a grant can't be used.
#[derive(Debug, thiserror::Error)]
pub enum AddedError {
    /// A directory can't be read.
    #[error("--plugin {}: {cause}", place.display())]
    Place {
        /// As given.
        place: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A grant is malformed.
    #[error("--grant {0}: expected GROUP:INTERFACE,INTERFACE")]
    GrantForm(String),
    /// A grant names what is no interface.
    #[error("grant of {group}: {cause}")]
    Grant {
        /// The group.
        group: String,
        /// What is wrong.
        cause: GrantError,
    },
    /// A grant is for nobody.
    #[error("{place}: there is no plugin with group `{group}`; the plugins are: {known}")]
    NoPlugin {
        /// Where it is named.
        place: &'static str,
        /// The group.
        group: String,
        /// The groups that are there.
        known: String,
    },
    /// The file is no plugin.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The group is one of the contract's.
    #[error("{}: group `{group}` is built in; a plugin needs a name of its own", file.display())]
    BuiltIn {
        /// The file.
        file: PathBuf,
        /// The group.
        group: String,
    },
    /// Two files have one group.
    #[error("{} and {}: both have group `{group}`", one.display(), other.display())]
    Twice {
        /// A file.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
        /// The group.
        group: String,
    },
    /// An endpoint would be open to everybody, or outside HTTP.
    #[error("{}: endpoint `{endpoint}`: {why}", file.display())]
    Endpoint {
        /// The file.
        file: PathBuf,
        /// The endpoint.
        endpoint: String,
        /// What is wrong.
        why: &'static str,
    },
    /// It does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

impl Added {
    /// Read, check and compile every plugin that the command line and the policy name; the code of those in `known` is
    /// used again. Blocks.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn all(
        source: &Source,
        sections: &[PluginSection],
        engine: &Engine,
        compiler: &Compiler,
        known: &[Self],
    ) -> Result<Vec<Self>, AddedError> {
        let mut packages = Vec::new();
        let named = sections.iter().filter_map(|section| section.file.as_ref()).map(PathBuf::from);
        for file in files(&source.places)?.into_iter().chain(named) {
            packages.push(Package::read(&file)?);
        }
        let grants = grants(source, sections, &packages)?;
        let mut added: Vec<Self> = Vec::new();
        for package in packages {
            let group = package.manifest.group.clone();
            if abxd_policy::BUILT_IN_GROUPS.iter().any(|(known, _)| *known == group) {
                return Err(AddedError::BuiltIn { file: package.file, group });
            }
            if let Some(other) = added.iter().find(|added| added.manifest.group == group) {
                return Err(AddedError::Twice { one: other.file.clone(), other: package.file, group });
            }
            let names = grants.get(&group).into_iter().flatten().map(String::as_str);
            let grant = Grant::of(names).map_err(|cause| AddedError::Grant { group, cause })?;
            let component = match known.iter().find(|known| known.digest == package.digest) {
                Some(known) => known.component.clone(),
                None => compiler.compile(engine, &package)?,
            };
            let reaches = imported(engine, &component);
            let manifest = corrected(&package, &reaches)?;
            added.push(Self { manifest, digest: package.digest, component, file: package.file, grant });
        }
        Ok(added)
    }

    /// Link it to what it was granted.
    pub(super) fn link(&self, engine: &Engine) -> Result<Plugin, LoadError> {
        let group: Arc<str> = self.manifest.group.as_str().into();
        Plugin::link(engine, &self.component, &self.file, group, &self.grant, Settings::default())
    }
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

/// The interfaces granted to each group: the command line's, else the policy's.
fn grants(
    source: &Source,
    sections: &[PluginSection],
    packages: &[Package],
) -> Result<BTreeMap<String, Vec<String>>, AddedError> {
    let known = |place, group: &str| match packages.iter().any(|package| package.manifest.group == group) {
        true => Ok(()),
        false => {
            let known: Vec<_> = packages.iter().map(|package| package.manifest.group.as_str()).collect();
            Err(AddedError::NoPlugin { place, group: group.to_owned(), known: known.join(", ") })
        }
    };
    let mut grants = BTreeMap::new();
    for section in sections {
        known("policy: plugins", &section.group)?;
        grants.insert(section.group.clone(), section.grant.clone().unwrap_or_default());
    }
    for text in &source.grants {
        let (group, names) = text.split_once(':').ok_or_else(|| AddedError::GrantForm(text.clone()))?;
        known("--grant", group)?;
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        grants.insert(group.to_owned(), names.collect());
    }
    Ok(grants)
}

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
        endpoint.paths = reaches.iter().any(|interface| interface == "files");
        endpoint.exec = reaches.iter().any(|interface| interface == "process");
    }
    Ok(manifest)
}
