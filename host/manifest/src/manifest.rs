use crate::budget::BudgetDecl;
use crate::check;
use crate::command::CommandDecl;
use crate::document::Document;
use crate::endpoint::EndpointDecl;
use crate::error::ManifestError;

/// Bytes that a manifest can have. The largest of the built-in groups has 16 KiB.
pub const MAX_BYTES: usize = 256 << 10;

/// One group of endpoints: checked, but only for what can be seen in it alone.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Manifest {
    /// `[a-z][a-z0-9_]*`.
    pub group: String,
    /// Version of the group, `MAJOR.MINOR.PATCH`.
    pub version: String,
    /// Off unless the operator names the group.
    pub opt_in: bool,
    /// Interfaces of `abx:host` that the component asks for, by their names.
    pub imports: Vec<String>,
    /// What its component may use.
    pub budget: BudgetDecl,
    /// In the order in which they are matched.
    pub endpoints: Vec<EndpointDecl>,
    /// What it serves besides, in the order in which it is registered.
    pub commands: Vec<CommandDecl>,
}

impl Manifest {
    /// Read and check a `plugin.toml`. `file` is what errors call it.
    ///
    /// # Errors
    /// [`ManifestError::TooLarge`], [`ManifestError::Unreadable`] for syntax, types and unknown keys,
    /// [`ManifestError::Wrong`] for the first value that can't be.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ManifestError> {
        within_bounds(text.len(), file)?;
        let document: Document = toml::from_str(text).map_err(|error| ManifestError::Unreadable {
            file: file.to_owned(),
            line: error.span().map_or(1, |span| line_of(text, span.start)),
            detail: error.message().to_owned(),
        })?;
        Self::checked(document, file)
    }

    /// Read and check the content of a component's section. `file` is what errors call it.
    ///
    /// # Errors
    /// As [`Self::from_toml`].
    pub fn from_json(bytes: &[u8], file: &str) -> Result<Self, ManifestError> {
        within_bounds(bytes.len(), file)?;
        let document: Document = serde_json::from_slice(bytes).map_err(|error| ManifestError::Unreadable {
            file: file.to_owned(),
            line: error.line(),
            detail: without_position(error.to_string()),
        })?;
        Self::checked(document, file)
    }

    /// The content of a component's section: compact JSON without what has its default.
    ///
    /// # Errors
    /// [`ManifestError::Unwritable`], which no manifest that was read can cause.
    pub fn to_json(&self) -> Result<Vec<u8>, ManifestError> {
        serde_json::to_vec(&Document::from(self)).map_err(|source| ManifestError::Unwritable { source })
    }

    fn checked(document: Document, file: &str) -> Result<Self, ManifestError> {
        let manifest = Self::from(document);
        match check::manifest(&manifest) {
            Ok(()) => Ok(manifest),
            Err((place, fault)) => Err(ManifestError::Wrong { file: file.to_owned(), place, fault: Box::new(fault) }),
        }
    }
}

fn within_bounds(bytes: usize, file: &str) -> Result<(), ManifestError> {
    if bytes > MAX_BYTES {
        return Err(ManifestError::TooLarge { file: file.to_owned(), bytes });
    }
    Ok(())
}

/// Number, from 1, of the line that holds byte `offset`.
fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// The JSON parser's words without the position that it puts behind them.
fn without_position(words: String) -> String {
    words.rsplit_once(" at line ").map(|(words, _)| words.to_owned()).unwrap_or(words)
}

#[cfg(test)]
mod tests;
