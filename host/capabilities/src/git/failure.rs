//! Why git gave no answer.

use std::io;

use abxd_guards::path::PathDenial;
use abxd_guards::process::ProcessDenial;
use rustix::io::Errno;
use thiserror::Error;

use crate::process::StartFailure;

/// Why there is no answer of git's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GitFailure {
    /// The guard refuses the directory, or where the repository lies.
    #[error(transparent)]
    Denied(#[from] PathDenial),
    /// The guard refuses the program.
    #[error(transparent)]
    Program(#[from] ProcessDenial),
    /// The program did not start.
    #[error(transparent)]
    Start(#[from] StartFailure),
    /// Git said no, in these words.
    #[error("{0}")]
    Said(String),
    /// Time was up.
    #[error("git took too long")]
    TimedOut,
    /// The operating system refused.
    #[error("{0}")]
    Os(#[from] Errno),
}

impl From<io::Error> for GitFailure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Self::TimedOut,
            _ => Self::Os(Errno::from_io_error(&error).unwrap_or(Errno::IO)),
        }
    }
}

/// Work on a thread that may block came to no end: the runtime is ending.
pub(super) fn interrupted(_: tokio::task::JoinError) -> GitFailure {
    GitFailure::Os(Errno::CANCELED)
}
