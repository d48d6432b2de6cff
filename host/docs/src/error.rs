use std::io;
use std::path::{Path, PathBuf};

use abxd_manifest::ManifestError;
use thiserror::Error;

/// Why nothing was written.
#[derive(Debug, Error)]
pub(crate) enum DocsError {
    #[error("{}: {source}", file.display())]
    File { file: PathBuf, source: io::Error },
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("docs/http.md has no line {0:?}")]
    NoMark(&'static str),
}

impl DocsError {
    pub(crate) fn file(file: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::File { file: file.to_owned(), source }
    }
}
