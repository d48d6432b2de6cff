//! Where the policy comes from (contract: policy §1).

use std::io;
use std::path::{Path, PathBuf};

use abxd_policy::{Document, DocumentError, Preset, Syntax};

/// The document that is loaded where nothing else is named.
const WELL_KNOWN: &str = "/etc/agent-sandbox/server-policy.json";

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub(super) enum SourceError {
    #[error("{file}: {cause}")]
    Unreadable { file: PathBuf, cause: io::Error },
    #[error("{place}: {cause}")]
    Malformed { place: String, cause: Box<DocumentError> },
    #[error("--preset: `{0}` is no preset; there are: default, transfer-only, read-only, hardened, locked")]
    Preset(String),
}

/// A document, and the file it came from.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) document: Document,
    pub(super) file: Option<PathBuf>,
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
        return Ok(Loaded { document: Document::preset_only(preset), file: None });
    }
    if let Some(text) = variable("ABX_SERVER_POLICY") {
        let document = Document::parse(text.as_bytes(), Syntax::Json).map_err(|cause| SourceError::Malformed {
            place: "ABX_SERVER_POLICY".to_owned(),
            cause: Box::new(cause),
        })?;
        return Ok(Loaded { document, file: None });
    }
    if let Some(file) = variable("ABX_SERVER_POLICY_FILE") {
        return read(Path::new(&file));
    }
    let well_known = Path::new(WELL_KNOWN);
    if well_known.is_file() {
        return read(well_known);
    }
    Ok(Loaded { document: Document::empty(), file: None })
}

/// A variable of the environment that is not empty. Bytes that are not UTF-8 make its text malformed, not absent.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
}

fn read(file: &Path) -> Result<Loaded, SourceError> {
    let text = std::fs::read(file).map_err(|cause| SourceError::Unreadable { file: file.to_owned(), cause })?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let document = Document::parse(&text, Syntax::of_file_name(&name))
        .map_err(|cause| SourceError::Malformed { place: file.display().to_string(), cause: Box::new(cause) })?;
    Ok(Loaded { document, file: Some(file.to_owned()) })
}
