//! Why nothing runs.

use abxd_guards::process::ProgramFailure;
use abxd_sys::spawn::{SpawnError, Stage};
use rustix::io::Errno;
use thiserror::Error;

/// Why a program could not be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StartFailure {
    /// It is missing, or no program (`contract: process §1.5`, spawn failure).
    #[error(transparent)]
    Program(#[from] ProgramFailure),
    /// The child can't enter its directory.
    #[error("the working directory can't be entered: {0}")]
    Directory(Errno),
    /// The operating system refused.
    #[error("{0}")]
    Os(#[from] Errno),
    /// The server ends.
    #[error("the server is shutting down")]
    ShuttingDown,
}

impl StartFailure {
    /// The errno that says it, as a program that had called `execve` itself would have seen it.
    #[must_use]
    pub const fn errno(self) -> Errno {
        match self {
            Self::Program(ProgramFailure::Missing) => Errno::NOENT,
            Self::Program(ProgramFailure::NotExecutable) => Errno::ACCESS,
            Self::Program(ProgramFailure::Os(errno)) | Self::Directory(errno) | Self::Os(errno) => errno,
            Self::ShuttingDown => Errno::CANCELED,
        }
    }
}

impl From<SpawnError> for StartFailure {
    fn from(error: SpawnError) -> Self {
        match (error.stage, error.errno) {
            (Stage::Program, Errno::NOENT) => Self::Program(ProgramFailure::Missing),
            (Stage::Program, Errno::ACCESS) => Self::Program(ProgramFailure::NotExecutable),
            (Stage::Directory, errno) => Self::Directory(errno),
            (_, errno) => Self::Os(errno),
        }
    }
}

/// Why a program has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RunFailure {
    /// It could not be started.
    #[error(transparent)]
    Start(#[from] StartFailure),
    /// Who asked for it has left. Its tree has been ended.
    #[error("nobody waits for the program any more")]
    Left,
    /// What it wrote could not be kept.
    #[error("the output can't be kept: {0}")]
    Output(Errno),
}
