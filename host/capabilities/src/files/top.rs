//! Where walks over trees begin, and what they pass over.

use std::os::fd::OwnedFd;

use abxd_guards::file::Kind;
use abxd_guards::path::{CheckedPath, OpenFailure};
use rustix::io::Errno;

use super::failure::{FileFailure, is_absent_errno};

/// Opens the directory under the path for a walk; `None` when it is one but may not be read.
///
/// # Errors
/// [`FileFailure::Missing`] and [`FileFailure::NotADirectory`], [`FileFailure::Denied`], [`FileFailure::Os`].
pub(super) fn open_top(path: &CheckedPath) -> Result<Option<OwnedFd>, FileFailure> {
    if path.is_loop() {
        return Err(FileFailure::Missing);
    }
    match path.open_directory() {
        Ok(opened) => Ok(Some(opened)),
        Err(OpenFailure::Os(Errno::ACCESS)) => match path.facts() {
            Ok(facts) if facts.kind == Kind::Directory => Ok(None),
            _ => Err(FileFailure::Missing),
        },
        Err(OpenFailure::Os(Errno::NOTDIR)) if path.facts().is_ok() => Err(FileFailure::NotADirectory),
        Err(failure) => Err(FileFailure::of_look_up(failure)),
    }
}

/// `None` for what vanished on a walk, was replaced by a link or may not be read.
///
/// # Errors
/// Every other errno.
pub(super) fn passable<T>(outcome: Result<T, Errno>) -> Result<Option<T>, Errno> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Errno::LOOP) => Ok(None),
        Err(errno) if is_absent_errno(errno) => Ok(None),
        Err(errno) => Err(errno),
    }
}
