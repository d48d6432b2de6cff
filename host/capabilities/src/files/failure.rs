//! Causes of failure of file operations.

use std::io;

use abxd_guards::path::{OpenFailure, PathDenial};
use rustix::io::Errno;
use thiserror::Error;

/// Why a file operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FileFailure {
    /// The guard refuses the path, or what is there now.
    #[error(transparent)]
    Denied(#[from] PathDenial),
    /// There is nothing under the path.
    #[error("no such file or directory")]
    Missing,
    /// A directory is wanted and something else is there.
    #[error("not a directory")]
    NotADirectory,
    /// A regular file is wanted and something else is there.
    #[error("not a regular file")]
    NotAFile,
    /// The target exists and may not be overwritten.
    #[error("the file exists already")]
    Exists,
    /// A directory would be moved into itself.
    #[error("cannot move a directory into itself")]
    IntoItself,
    /// The directory that something is moved into has an entry of that name.
    #[error("the destination directory already has an entry of that name")]
    InnerTaken,
    /// The operating system refused. The number is what the contract names for the case.
    #[error("{0}")]
    Os(#[from] Errno),
}

impl From<OpenFailure> for FileFailure {
    fn from(failure: OpenFailure) -> Self {
        match failure {
            OpenFailure::Denied(denial) => Self::Denied(denial),
            OpenFailure::NotAFile => Self::NotAFile,
            OpenFailure::ParentNotDirectory { .. } => Self::Os(Errno::NOTDIR),
            OpenFailure::Os(errno) => Self::Os(errno),
        }
    }
}

impl FileFailure {
    /// The failure of opening or making the directory that something is to be put in: a file right above the target
    /// counts as "exists" (`contract: file_ops §6, §8`).
    pub(super) fn of_parent(failure: OpenFailure) -> Self {
        match failure {
            OpenFailure::ParentNotDirectory { direct: true } => Self::Os(Errno::EXIST),
            other => other.into(),
        }
    }

    /// The failure of finding something that is expected to be there.
    pub(super) fn of_look_up(failure: OpenFailure) -> Self {
        if is_absent(&failure) { Self::Missing } else { failure.into() }
    }

    /// The failure of reading or writing an open file.
    pub(super) fn of_transfer(error: &io::Error) -> Self {
        Self::Os(Errno::from_io_error(error).unwrap_or(Errno::IO))
    }
}

/// Whether the failure means that nothing can be there: missing, behind a file, behind a directory that can't be
/// searched, or a name that can't exist.
pub(super) const fn is_absent(failure: &OpenFailure) -> bool {
    match failure {
        OpenFailure::ParentNotDirectory { .. } => true,
        OpenFailure::Os(errno) => is_absent_errno(*errno),
        OpenFailure::Denied(_) | OpenFailure::NotAFile => false,
    }
}

/// As [`is_absent`], of a bare errno.
pub(super) const fn is_absent_errno(errno: Errno) -> bool {
    matches!(errno, Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::NAMETOOLONG)
}
