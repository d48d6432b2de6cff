//! Mapping compiled components.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, SealFlags, fcntl_get_seals};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Why a compiled component was not mapped.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The file can't be opened or looked at.
    #[error("{path}: {cause}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// Somebody who is not trusted could have put native code into the file.
    #[error("{path}: somebody who is not trusted with native code can write it (mode {mode:o}, owner {owner})")]
    Writable {
        /// The file, or the directory it is in.
        path: PathBuf,
        /// Permission bits.
        mode: u32,
        /// User id.
        owner: u32,
    },
    /// The memory with the code could still be changed.
    #[error("{path}: its compiled code is not sealed")]
    Unsealed {
        /// What the code was made from.
        path: PathBuf,
    },
    /// The file is not what this engine compiled: another version, other settings, or damage.
    #[error("{path}: {cause}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What the runtime says.
        cause: wasmtime::Error,
    },
}

/// Map a component that was compiled ahead of time. The file's pages are shared and loaded as they are used.
///
/// The file holds native code that is not checked again, so it must belong to root or to the server's user, and it and
/// its directory must not be writable for anybody else. The check is made on the descriptor's own metadata.
///
/// # Errors
/// See [`MapError`].
pub fn map(engine: &Engine, path: &Path) -> Result<Component, MapError> {
    map_of(engine, path, &[0, rustix::process::geteuid().as_raw()])
}

/// The same, where the server's own user is not trusted either: the file and its directory must be root's.
///
/// # Errors
/// See [`MapError`].
pub fn map_of_root(engine: &Engine, path: &Path) -> Result<Component, MapError> {
    map_of(engine, path, &[0])
}

fn map_of(engine: &Engine, path: &Path, owners: &[u32]) -> Result<Component, MapError> {
    let unreadable = |cause| MapError::Unreadable { path: path.to_owned(), cause };
    // A pipe would be waited for.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).map_err(|cause| unreadable(cause.into()))?);
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(unreadable(io::Error::other("not a regular file")));
    }
    refuse_writable(path, &metadata, owners)?;
    if let Some(directory) = path.parent() {
        refuse_writable(directory, &directory.metadata().map_err(unreadable)?, owners)?;
    }
    // By the descriptor, so that what was checked is what is mapped.
    let checked = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: `deserialize_file` asks for a file that this runtime compiled and that nobody changes while it is mapped.
    // Only its owner can have written it, as just checked on the open descriptor: root, or the server's own user where
    // that is trusted, and both could replace the server itself. The runtime checks version and settings.
    unsafe { Component::deserialize_file(engine, checked) }
        .map_err(|cause| MapError::Foreign { path: path.to_owned(), cause })
}

/// Map code that stands in sealed anonymous memory. `name` is what errors call it.
///
/// # Errors
/// [`MapError::Unsealed`] if the memory can still change, [`MapError::Foreign`] as in [`map`].
pub fn map_sealed(engine: &Engine, code: &File, name: &Path) -> Result<Component, MapError> {
    let needed = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK;
    if !fcntl_get_seals(code).is_ok_and(|seals| seals.contains(needed)) {
        return Err(MapError::Unsealed { path: name.to_owned() });
    }
    let sealed = format!("/proc/self/fd/{}", code.as_raw_fd());
    // SAFETY: as in `map`: the code comes from this program's own compiler, which is all that ever had the memory, and
    // the seals, just checked, keep everybody from changing it.
    unsafe { Component::deserialize_file(engine, sealed) }
        .map_err(|cause| MapError::Foreign { path: name.to_owned(), cause })
}

fn refuse_writable(path: &Path, metadata: &std::fs::Metadata, owners: &[u32]) -> Result<(), MapError> {
    let (mode, owner) = (metadata.mode() & 0o7777, metadata.uid());
    // The sticky bit does not help: names can't be replaced there, but new ones appear.
    if !owners.contains(&owner) || mode & 0o022 != 0 {
        return Err(MapError::Writable { path: path.to_owned(), mode, owner });
    }
    Ok(())
}
