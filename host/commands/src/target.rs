//! What runs when a command is called, what it returns, and how it can fail.

use std::path::PathBuf;
use std::sync::Arc;

use abxd_capabilities::process::{CapturedText, Supervisor, Variables};
use abxd_guards::process::ProcessGuard;
use thiserror::Error;

use crate::declared::Program;
use crate::python::Function;
use crate::value::Values;

/// What commands run on: the owner of children, and what each of them begins with.
#[derive(Clone, Debug)]
pub struct Host {
    /// Starts and ends every child.
    pub supervisor: Supervisor,
    /// Judges the programs.
    pub guard: Arc<ProcessGuard>,
    /// The server's working directory, which is every child's.
    pub working_dir: PathBuf,
    /// Variables of every child: those of the server's start, without its secrets. What callers set later is not among
    /// them: it would change what others' commands do.
    pub environment: Variables,
    /// Where results go that are too large for memory.
    pub scratch: Arc<std::path::Path>,
}

/// What runs.
#[derive(Clone, Debug)]
pub enum Target {
    /// A function in the Python worker.
    Python(Function),
    /// A program.
    Program(Arc<Program>),
}

/// What a command returned.
#[derive(Debug)]
pub enum Returned {
    /// One JSON value, as UTF-8.
    Json(CapturedText),
    /// A text.
    Text(CapturedText),
}

/// Why a command returned nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallFailure {
    /// It raised an error: class and text.
    #[error("{class}: {text}")]
    Raised {
        /// The class.
        class: String,
        /// The text, perhaps empty.
        text: String,
    },
    /// Too many calls are running.
    #[error("too many commands are running")]
    Busy,
}

impl CallFailure {
    /// An error of the host's own making.
    #[must_use]
    pub fn raised(class: &str, text: impl Into<String>) -> Self {
        Self::Raised { class: class.to_owned(), text: text.into() }
    }
}

impl Target {
    /// Call it. Dropping the future ends a program that was started; a Python function runs on, and nobody gets its result.
    ///
    /// # Errors
    /// See [`CallFailure`].
    pub async fn call(&self, values: &Values) -> Result<Returned, CallFailure> {
        match self {
            Self::Python(function) => function.call(values).await,
            Self::Program(program) => program.call(values).await,
        }
    }
}
