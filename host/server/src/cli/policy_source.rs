//! Where the policy comes from (contract: policy §1).

use std::path::{Path, PathBuf};
use std::time::Duration;

use abxd_guards::file::{ReadFailure, read_whole, read_whole_or_pipe};
use abxd_policy::{Document, DocumentError, Preset, Syntax};

use crate::deployment::BuildError;

/// The document that is loaded where nothing else is named.
pub(super) const WELL_KNOWN: &str = "/etc/agent-sandbox/server-policy.json";

/// The variable that may hold the document itself.
const INLINE: &str = "ABX_SERVER_POLICY";

/// The largest document, in bytes.
const LARGEST: u64 = 16 << 20;

/// How long a document may take to come through a pipe.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why there is no document, or none that can be served.
#[derive(Debug, thiserror::Error)]
pub(super) enum SourceError {
    #[error("{file}: {cause}")]
    Unreadable { file: PathBuf, cause: ReadFailure },
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

/// The document of a server that serves, from the file that it was read from: a pipe, or what else has come to stand
/// there, is not waited for.
pub(super) fn load_again(file: &Path, preset: Option<&str>) -> Result<Document, SourceError> {
    let mut loaded = parse_file(file, read_whole(file, LARGEST))?;
    if let Some(preset) = parse_preset(preset)? {
        loaded.document.replace_preset(preset);
    }
    Ok(loaded.document)
}

/// The first source that applies. A pipe is read to its end.
pub(super) fn load(policy: Option<&Path>, preset: Option<&str>) -> Result<Loaded, SourceError> {
    let preset = parse_preset(preset)?;
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
    parse_file(file, read_whole_or_pipe(file, LARGEST, PATIENCE))
}

fn parse_file(file: &Path, read: Result<Vec<u8>, ReadFailure>) -> Result<Loaded, SourceError> {
    let text = read.map_err(|cause| SourceError::Unreadable { file: file.to_owned(), cause })?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    parse(&text, Syntax::of_file_name(&name), file.display().to_string(), Some(file.to_owned()))
}

fn parse_preset(name: Option<&str>) -> Result<Option<Preset>, SourceError> {
    name.map(|name| Preset::parse(name).ok_or_else(|| SourceError::Preset(name.to_owned()))).transpose()
}

fn parse(text: &[u8], syntax: Syntax, place: String, file: Option<PathBuf>) -> Result<Loaded, SourceError> {
    match Document::parse(text, syntax) {
        Ok(document) => Ok(Loaded { document, file, place }),
        Err(cause) => Err(SourceError::Malformed { place, cause: Box::new(cause) }),
    }
}
