//! A third party's component as a file: what it says of itself, before any of it runs.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use abxd_guards::file::{ReadFailure, read_whole};
use abxd_manifest::section::{self, SectionError};
use abxd_manifest::{Manifest, ManifestError};
use sha2::{Digest, Sha256};
use wasmtime::Engine;

/// Largest file, in bytes.
const LARGEST: u64 = 128 << 20;

/// A component file that was read: its bytes are what is compiled, whatever becomes of the file.
#[derive(Debug, Clone)]
pub struct Package {
    /// Where it was read.
    pub file: PathBuf,
    /// What it says of itself; never trusted for safety (decision D71).
    pub manifest: Manifest,
    /// SHA-256 of the file, lower-case hexadecimal.
    pub digest: String,
    pub(crate) bytes: Vec<u8>,
}

/// Why a file is no plugin.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// It can't be read.
    #[error("{}: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        cause: ReadFailure,
    },
    /// It holds native code of somebody else.
    #[error("{}: compiled code is not taken; give the component it was made from", file.display())]
    Precompiled {
        /// The file.
        file: PathBuf,
    },
    /// It is no component.
    #[error("{}: {cause}", file.display())]
    Section {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        cause: SectionError,
    },
    /// It has no manifest.
    #[error("{}: no manifest in it; put one in with `abxd-compiler pack`", file.display())]
    NoManifest {
        /// The file.
        file: PathBuf,
    },
    /// Its manifest is malformed.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

impl Package {
    /// Read a file.
    ///
    /// # Errors
    /// See [`PackageError`].
    pub fn read(file: &Path) -> Result<Self, PackageError> {
        let read = read_whole(file, LARGEST);
        let bytes = read.map_err(|cause| PackageError::Unreadable { file: file.to_owned(), cause })?;
        if Engine::detect_precompiled(&bytes).is_some() {
            return Err(PackageError::Precompiled { file: file.to_owned() });
        }
        let found = section::read(&bytes).map_err(|cause| PackageError::Section { file: file.to_owned(), cause })?;
        let text = found.ok_or_else(|| PackageError::NoManifest { file: file.to_owned() })?;
        let manifest = Manifest::from_json(text, &file.display().to_string())?;
        Ok(Self { file: file.to_owned(), manifest, digest: digest(&bytes), bytes })
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use abxd_guards::file::ReadFailure;

    use super::{Package, PackageError};

    fn read(bytes: &[u8]) -> Result<Package, PackageError> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("x.wasm");
        std::fs::write(&file, bytes).unwrap();
        Package::read(&file)
    }

    #[test]
    fn what_is_no_component_is_refused() {
        assert!(matches!(read(b""), Err(PackageError::Section { .. })));
        assert!(matches!(read(b"\0asm\x01\0\0\0"), Err(PackageError::Section { .. })));
        assert!(matches!(read(b"\0asm\x0d\0\x01\0"), Err(PackageError::NoManifest { .. })));
    }

    #[test]
    fn only_regular_files_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("x.wasm");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        for file in [directory.path(), &pipe] {
            let cause = Package::read(file).unwrap_err();
            assert!(matches!(cause, PackageError::Unreadable { cause: ReadFailure::NotAFile, .. }), "{cause}");
        }
    }

    #[test]
    fn a_manifest_is_read_from_the_file() {
        let text = br#"{"group":"g","version":"1.0.0","imports":[],"endpoint":[{"id":"g_a","method":"GET","path":"/g","summary":"s","scopes":[]}]}"#;
        let bytes = abxd_manifest::section::insert(b"\0asm\x0d\0\x01\0", text).unwrap();
        let package = read(&bytes).unwrap();
        assert_eq!(package.manifest.group, "g");
        assert_eq!(package.digest.len(), 64);
    }
}
