use std::fmt;
use std::io;
use std::process::ExitStatus;

/// Why a run ended.
#[derive(Debug)]
pub(crate) enum Failure {
    /// No such command, or not with these arguments.
    Usage { usage: &'static str },
    /// Something is missing on this machine.
    Missing { what: String, remedy: String },
    /// A step's program could not be run at all.
    NotRun { program: String, source: io::Error },
    /// A step's program says that it failed.
    Step { program: String, status: ExitStatus },
    /// A file or folder can't be read or written.
    Io { path: String, source: io::Error },
    /// The tree is not as it has to be.
    Tree { detail: String },
}

impl Failure {
    pub(crate) fn io(path: impl AsRef<std::path::Path>, source: io::Error) -> Self {
        Self::Io { path: path.as_ref().display().to_string(), source }
    }

    /// 2 for wrong arguments, else 1.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage { .. } => 2,
            _ => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { usage } => write!(f, "no such command\n\n{usage}"),
            Self::Missing { what, remedy } => write!(f, "{what} is missing: {remedy}"),
            Self::NotRun { program, source } => write!(f, "{program} can't be run: {source}"),
            Self::Step { program, status } => write!(f, "{program} failed ({status})"),
            Self::Io { path, source } => write!(f, "{path}: {source}"),
            Self::Tree { detail } => f.write_str(detail),
        }
    }
}

impl std::error::Error for Failure {}
