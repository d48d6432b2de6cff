//! A program that passed the guard.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::denial::ProgramFailure;
use crate::file::Facts;

/// A program that passed [`super::ProcessGuard::check`]. Whether it is there is told by [`CheckedProgram::file`] only,
/// so that everything else about a request is judged before (`contract: guards §3`: a missing program passes).
#[derive(Debug)]
pub struct CheckedProgram {
    word: String,
    found: Result<ProgramFile, ProgramFailure>,
}

/// The file of a program.
#[derive(Debug)]
pub struct ProgramFile {
    pub(super) path: PathBuf,
    pub(super) real: PathBuf,
    pub(super) descriptor: OwnedFd,
    pub(super) facts: Facts,
}

impl CheckedProgram {
    pub(super) const fn new(word: String, found: Result<ProgramFile, ProgramFailure>) -> Self {
        Self { word, found }
    }

    /// The word as it was given: the child's `argv[0]`.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The file to run.
    ///
    /// # Errors
    /// Why there is none.
    pub fn file(&self) -> Result<&ProgramFile, ProgramFailure> {
        self.found.as_ref().map_err(|failure| *failure)
    }

    /// As [`CheckedProgram::file`], by value.
    ///
    /// # Errors
    /// Why there is none.
    pub fn into_file(self) -> Result<ProgramFile, ProgramFailure> {
        self.found
    }
}

impl ProgramFile {
    /// The path as it was looked up: absolute, without `.`, `..` and repeated slashes, with its links. What a script
    /// sees as `$0`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path with every link followed.
    #[must_use]
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// A path-only descriptor of the file, closed on exec: good for `execveat`.
    #[must_use]
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }

    /// The facts of the file.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }
}
