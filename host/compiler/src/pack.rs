use std::path::{Path, PathBuf};

use abxd_manifest::{Manifest, ManifestError, section};
use thiserror::Error;

use crate::artifact::{self, ArtifactError};
use crate::interfaces::{Interfaces, InterfacesError};

/// Why a component was not packed.
#[derive(Debug, Error)]
pub(crate) enum PackError {
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("{}: not UTF-8", path.display())]
    Text { path: PathBuf },
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{}: {source}", path.display())]
    Section { path: PathBuf, source: section::SectionError },
    #[error("{}: {source}", path.display())]
    Interfaces { path: PathBuf, source: InterfacesError },
    #[error("{}: it imports {names}, which {} does not list under imports", path.display(), manifest.display())]
    Unlisted { path: PathBuf, manifest: PathBuf, names: String },
}

/// Put the manifest in file `manifest` into `component`, and write that to `out`.
///
/// Returns the interfaces that the manifest asks for and the component does not import.
pub(crate) fn pack(manifest: &Path, component: &Path, out: &Path) -> Result<Vec<String>, PackError> {
    let text = String::from_utf8(artifact::read(manifest)?);
    let text = text.map_err(|_| PackError::Text { path: manifest.to_owned() })?;
    let declared = Manifest::from_toml(&text, &manifest.display().to_string())?;

    let bytes = artifact::read(component)?;
    let at = || component.to_owned();
    let packed = section::insert(&bytes, &declared.to_json()?);
    let packed = packed.map_err(|source| PackError::Section { path: at(), source })?;
    let interfaces = Interfaces::of(&bytes).map_err(|source| PackError::Interfaces { path: at(), source })?;

    let unlisted: Vec<_> =
        interfaces.of_the_host().filter(|name| !declared.imports.iter().any(|listed| listed == name)).collect();
    if !unlisted.is_empty() {
        return Err(PackError::Unlisted { path: at(), manifest: manifest.to_owned(), names: unlisted.join(", ") });
    }
    artifact::write(out, &packed)?;
    let used = |listed: &String| interfaces.of_the_host().any(|name| name == listed);
    Ok(declared.imports.iter().filter(|listed| !used(listed)).cloned().collect())
}
