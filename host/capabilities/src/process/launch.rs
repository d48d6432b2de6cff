//! What is to be started.

use std::ffi::{CString, OsString};
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use abxd_guards::environment::{CheckedEnvironment, SecretNames};
use abxd_guards::path::{CheckedPath, OpenFailure};
use abxd_guards::process::CheckedProgram;
use rustix::io::Errno;

use super::environment::{Environment, Variables, overlaid};

/// A program to start: checked values only.
#[derive(Debug)]
pub struct Launch {
    /// The program.
    pub program: CheckedProgram,
    /// Its arguments, its own name first, as written.
    pub argv: Vec<String>,
    /// Where it runs.
    pub directory: Directory,
    /// Its environment.
    pub environment: ChildEnvironment,
}

/// A child's working directory.
#[derive(Debug)]
pub enum Directory {
    /// The server's own.
    Server,
    /// This one (`O_PATH` will do).
    Open(OwnedFd),
}

impl Directory {
    /// A directory that the guard admitted, as it is now. Whether the child may enter it is told when it starts.
    ///
    /// # Errors
    /// `ENOTDIR`; else as [`CheckedPath::facts`].
    pub fn of(path: &CheckedPath) -> Result<Self, OpenFailure> {
        Ok(Self::Open(path.name_directory()?))
    }
}

/// A child's environment.
#[derive(Clone, Debug)]
pub enum ChildEnvironment {
    /// The server's map less the `hidden` names, `extra` on top (`contract: process §1.5`).
    Inherit {
        /// Names that no child sees: those of the server's secrets; none where no tokens are configured.
        hidden: Arc<SecretNames>,
        /// Variables of this child.
        extra: CheckedEnvironment,
    },
    /// Exactly these (isolated look-ups, D45).
    Exactly(Variables),
}

impl ChildEnvironment {
    /// `NAME=value` for each variable.
    ///
    /// # Errors
    /// `EINVAL` for a NUL byte, which no variable of the guard has.
    pub(super) fn block(self, server: &Environment) -> Result<Vec<CString>, Errno> {
        let variables = match self {
            Self::Exactly(variables) => variables,
            Self::Inherit { hidden, extra } => {
                let shown = |(name, _): &&(OsString, OsString)| !hidden.hide(name);
                let inherited = server.snapshot().iter().filter(shown).cloned().collect();
                overlaid(inherited, extra.into_pairs().into_iter().map(|(name, value)| (name.into(), value.into())))
            }
        };
        variables.into_iter().map(entry).collect()
    }
}

fn entry((name, value): (OsString, OsString)) -> Result<CString, Errno> {
    let mut entry = name.into_vec();
    entry.push(b'=');
    entry.append(&mut value.into_vec());
    CString::new(entry).map_err(|_| Errno::INVAL)
}

/// Where a child's input comes from.
#[derive(Debug)]
pub enum Input {
    /// Nowhere: reads give the end at once.
    Null,
    /// A pipe.
    Pipe,
    /// This descriptor.
    From(OwnedFd),
}

/// Where a child's output goes to.
#[derive(Debug)]
pub enum Output {
    /// Nowhere.
    Null,
    /// A pipe.
    Pipe,
    /// This descriptor.
    To(OwnedFd),
}

/// All descriptors of a child.
#[derive(Debug)]
pub struct Stdio {
    /// Descriptor 0.
    pub stdin: Input,
    /// Descriptor 1.
    pub stdout: Output,
    /// Descriptor 2.
    pub stderr: Output,
    /// More of them, each with its number in the child (3 or higher, none twice).
    pub inherit: Vec<(OwnedFd, RawFd)>,
    /// Path of a terminal that controls the child's session and is its descriptors 0 to 2; the three above must be
    /// `Null` then.
    pub terminal: Option<CString>,
}

impl Stdio {
    /// No input, both outputs piped: what `shell` gives.
    #[must_use]
    pub const fn captured() -> Self {
        Self { stdin: Input::Null, stdout: Output::Pipe, stderr: Output::Pipe, inherit: Vec::new(), terminal: None }
    }

    /// Nothing at all.
    #[must_use]
    pub const fn null() -> Self {
        Self { stdin: Input::Null, stdout: Output::Null, stderr: Output::Null, inherit: Vec::new(), terminal: None }
    }
}
