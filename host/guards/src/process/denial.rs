//! Causes of refusal, and of a program that cannot start.

use rustix::io::Errno;
use thiserror::Error;

/// Why the guard refuses a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProcessDenial {
    /// There is no word for it, or an empty one.
    #[error("a program is required")]
    Empty,
    /// Its word contains a NUL character.
    #[error("the program's name contains a NUL character")]
    Nul,
    /// It is, or its word leads through, a file of the kernel's trees.
    #[error("no program may be started from /proc, /sys or /dev")]
    Denied,
}

impl ProcessDenial {
    /// The contract's machine code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Empty | Self::Nul => "process_invalid",
            Self::Denied => "process_denied",
        }
    }
}

/// Why a program that the guard admits cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProgramFailure {
    /// There is no such file.
    #[error("no such program")]
    Missing,
    /// What is there is not a file, or nobody may run it here.
    #[error("the program is not an executable file")]
    NotExecutable,
    /// The operating system refused.
    #[error("{0}")]
    Os(#[from] Errno),
}
