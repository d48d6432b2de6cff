//! Causes of refusal. No message says whether anything exists.

use rustix::io::Errno;
use thiserror::Error;

/// Why the guard refuses a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PathDenial {
    /// Missing or empty.
    #[error("a path is required")]
    Empty,
    /// Contains a NUL byte.
    #[error("the path contains a NUL byte")]
    Nul,
    /// Longer than 4096 characters.
    #[error("the path is longer than 4096 characters")]
    TooLong,
    /// The name of an entry is empty, `.`, `..`, or has a slash or a NUL byte in it.
    #[error("the name is not a single path component")]
    Name,
    /// Outside every allowed directory.
    #[error("the path is outside the allowed directories")]
    Outside,
    /// A symbolic link where none may be followed.
    #[error("the path leads through a symbolic link, which is not allowed here")]
    Symlink,
    /// Matches a deny pattern, belongs to the system or the server, or is protected from removal.
    #[error("access to the path is denied")]
    Denied,
    /// A write or delete under a rule that only reads.
    #[error("the path is read-only")]
    ReadOnly,
}

impl PathDenial {
    /// The contract's machine code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Empty | Self::Nul | Self::TooLong | Self::Name => "invalid_path",
            Self::Outside => "path_not_allowed",
            Self::Symlink => "symlink_denied",
            Self::Denied => "path_denied",
            Self::ReadOnly => "read_only",
        }
    }
}

/// Why a checked path could not be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OpenFailure {
    /// The guard refuses what is there now.
    #[error(transparent)]
    Denied(#[from] PathDenial),
    /// It is a directory, a FIFO, a socket or a device, and a regular file is wanted.
    #[error("not a regular file")]
    NotAFile,
    /// A component above the last one is no directory.
    #[error("a parent is not a directory")]
    ParentNotDirectory {
        /// Whether it is the one right above the last component.
        direct: bool,
    },
    /// The operating system refused.
    #[error("{0}")]
    Os(#[from] Errno),
}
