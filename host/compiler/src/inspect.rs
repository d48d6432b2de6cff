use std::fmt;
use std::path::{Path, PathBuf};

use abxd_manifest::{Manifest, ManifestError, section};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::artifact::{self, ArtifactError};
use crate::interfaces::{Interfaces, InterfacesError};

/// Why a component can't be shown.
#[derive(Debug, Error)]
pub(crate) enum InspectError {
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("{}: {source}", path.display())]
    Section { path: PathBuf, source: section::SectionError },
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{}: {source}", path.display())]
    Interfaces { path: PathBuf, source: InterfacesError },
}

/// What can be told of a component without running it. Displayed as the text that `inspect` prints.
#[derive(Debug)]
pub(crate) struct Inspected {
    /// SHA-256 of the file, lower-case hex: what an operator pins.
    digest: String,
    /// Bytes.
    size: usize,
    manifest: Option<Manifest>,
    interfaces: Interfaces,
}

/// Look at the component in a file.
pub(crate) fn inspect(component: &Path) -> Result<Inspected, InspectError> {
    let bytes = artifact::read(component)?;
    let at = || component.to_owned();
    let section = section::read(&bytes).map_err(|source| InspectError::Section { path: at(), source })?;
    let manifest = section.map(|json| Manifest::from_json(json, &component.display().to_string())).transpose()?;
    let interfaces = Interfaces::of(&bytes).map_err(|source| InspectError::Interfaces { path: at(), source })?;
    let digest = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Inspected { digest, size: bytes.len(), manifest, interfaces })
}

impl fmt::Display for Inspected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digest    sha256:{}", self.digest)?;
        writeln!(f, "size      {} bytes", self.size)?;
        match &self.manifest {
            None => writeln!(f, "manifest  none")?,
            Some(manifest) => {
                let opt_in = if manifest.opt_in { ", off unless named" } else { "" };
                writeln!(f, "group     {} {}{opt_in}", manifest.group, manifest.version)?;
                writeln!(f, "asks for  {}", list(manifest.imports.iter().map(String::as_str)))?;
            }
        }
        let (wasi, own): (Vec<_>, Vec<_>) = self.interfaces.imports.iter().partition(|name| name.starts_with("wasi:"));
        writeln!(f, "imports   {}", list(own.into_iter().map(String::as_str)))?;
        writeln!(f, "exports   {}", list(self.interfaces.exports.iter().map(String::as_str)))?;
        writeln!(f, "wasi      {} interfaces, which lead nowhere", wasi.len())?;
        for decl in self.manifest.iter().flat_map(|manifest| &manifest.endpoints) {
            writeln!(f, "endpoint  {} {} {} [{}]", decl.id, decl.method, decl.path, decl.scopes.join(", "))?;
        }
        for decl in self.manifest.iter().flat_map(|manifest| &manifest.commands) {
            writeln!(f, "command   {:?} under {} [{}]", decl.name, decl.endpoint, decl.scopes.join(", "))?;
        }
        Ok(())
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
