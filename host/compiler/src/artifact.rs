//! Reading and writing components and compiled code.

use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Bytes of the largest component that is read. One with a whole interpreter in it has about 20 MiB.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// Who may read what is written: everybody; it holds no secret.
const MODE: u32 = 0o644;

/// Why a file could not be read or written.
#[derive(Debug, Error)]
pub(crate) enum ArtifactError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: not written: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{}: larger than {MAX_BYTES} bytes", path.display())]
    TooLarge { path: PathBuf },
}

/// The content of a file of at most [`MAX_BYTES`].
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ArtifactError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|source| ArtifactError::Read { path: path.to_owned(), source })?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= MAX_BYTES) {
        return Ok(bytes);
    }
    Err(ArtifactError::TooLarge { path: path.to_owned() })
}

/// Make a file with this content appear under `path` at once, or not at all: whoever opens it meanwhile sees the old
/// one or none. It is on the disk before it has its name, since damage to compiled code is not noticed when it is
/// loaded.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), ArtifactError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = || {
        let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(MODE)).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    written().map_err(|source| ArtifactError::Write { path: path.to_owned(), source })
}
