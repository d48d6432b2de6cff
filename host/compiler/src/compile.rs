use std::path::{Path, PathBuf};

use abxd_engine::EngineError;
use abxd_manifest::section;
use thiserror::Error;
use wasmtime::Engine;

use crate::artifact::{self, ArtifactError};

/// Why a component was not compiled.
#[derive(Debug, Error)]
pub(crate) enum CompileError {
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("{}: compiled code already; only the component it was made from can be checked", path.display())]
    Precompiled { path: PathBuf },
    #[error("{}: {source}", path.display())]
    Section { path: PathBuf, source: section::SectionError },
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("{}: {detail}", path.display())]
    Refused { path: PathBuf, detail: String },
}

/// Compile `component` for any machine with this one's architecture and system, and write the code to `out`.
pub(crate) fn compile(component: &Path, out: &Path) -> Result<(), CompileError> {
    let config = abxd_engine::packaging_config()?;
    let engine = Engine::new(&config).map_err(|error| EngineError::Start { detail: format!("{error:#}") })?;
    let bytes = artifact::read(component)?;
    if Engine::detect_precompiled(&bytes).is_some() {
        return Err(CompileError::Precompiled { path: component.to_owned() });
    }
    section::read(&bytes).map_err(|source| CompileError::Section { path: component.to_owned(), source })?;
    let code = engine.precompile_component(&bytes).map_err(|error| CompileError::Refused {
        path: component.to_owned(),
        detail: on_one_line(&format!("{error:#}")),
    })?;
    Ok(artifact::write(out, &code)?)
}

/// The engine's words can have lines of their own; an error of this program has one.
fn on_one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
