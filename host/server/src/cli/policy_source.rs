//! Where the policy comes from (contract: policy §1).

use std::io;
use std::path::{Path, PathBuf};

use abxd_policy::{Document, DocumentError, Preset, Syntax};

use crate::deployment::BuildError;

/// The document that is loaded where nothing else is named.
const WELL_KNOWN: &str = "/etc/agent-sandbox/server-policy.json";

/// The variable that may hold the document itself.
const INLINE: &str = "ABX_SERVER_POLICY";

/// Why there is no document, or none that can be served.
#[derive(Debug, thiserror::Error)]
pub(super) enum SourceError {
    #[error("{file}: {cause}")]
    Unreadable { file: PathBuf, cause: io::Error },
    #[error("{place}: {cause}")]
    Malformed { place: String, cause: Box<DocumentError> },
    #[error("{place}: {cause}")]
    Unfit { place: String, cause: Box<BuildError> },
    #[error("--preset: `{0}` is no preset; there are: default, transfer-only, read-only, hardened, locked")]
    Preset(String),
}

/// A document, and where it came from.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) document: Document,
    pub(super) file: Option<PathBuf>,
    /// What messages about the document begin with: the file, or the variable.
    pub(super) place: String,
}

/// The first source that applies.
pub(super) fn load(policy: Option<&Path>, preset: Option<&str>) -> Result<Loaded, SourceError> {
    let preset =
        preset.map(|name| Preset::parse(name).ok_or_else(|| SourceError::Preset(name.to_owned()))).transpose()?;
    if let Some(file) = policy {
        let mut loaded = read(file)?;
        if let Some(preset) = preset {
            loaded.document.replace_preset(preset);
        }
        return Ok(loaded);
    }
    if let Some(preset) = preset {
        return Ok(Loaded { document: Document::preset_only(preset), file: None, place: "--preset".to_owned() });
    }
    if let Some(text) = variable(INLINE) {
        return parse(text.as_bytes(), Syntax::Json, INLINE.to_owned(), None);
    }
    if let Some(file) = variable("ABX_SERVER_POLICY_FILE") {
        return read(Path::new(&file));
    }
    let well_known = Path::new(WELL_KNOWN);
    if well_known.is_file() {
        return read(well_known);
    }
    Ok(Loaded { document: Document::empty(), file: None, place: "policy".to_owned() })
}

/// A variable of the environment that is not empty. Bytes that are not UTF-8 make its text malformed, not absent.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
}

fn read(file: &Path) -> Result<Loaded, SourceError> {
    let text = std::fs::read(file).map_err(|cause| SourceError::Unreadable { file: file.to_owned(), cause })?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    parse(&text, Syntax::of_file_name(&name), file.display().to_string(), Some(file.to_owned()))
}

fn parse(text: &[u8], syntax: Syntax, place: String, file: Option<PathBuf>) -> Result<Loaded, SourceError> {
    match Document::parse(text, syntax) {
        Ok(document) => Ok(Loaded { document, file, place }),
        Err(cause) => Err(SourceError::Malformed { place, cause: Box::new(cause) }),
    }
}
