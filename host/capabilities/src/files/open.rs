//! Opening a file to read it.

use std::fs::File;

use abxd_guards::file::Facts;
use abxd_guards::path::{CheckedPath, OpenFailure};
use rustix::io::Errno;

use super::failure::FileFailure;

/// A regular file, open for reading, and its facts at that moment. A file put in its place later is another one.
#[derive(Debug)]
pub struct OpenFile {
    /// The file, at its start.
    pub file: File,
    /// Its facts, taken from the descriptor.
    pub facts: Facts,
}

/// Opens the regular file under the path (`contract: file_ops §9, §13`). Never waits: a FIFO or a device is told from
/// a file before anything is opened.
///
/// # Errors
/// [`FileFailure::Missing`], [`FileFailure::NotAFile`] (directory, FIFO, socket, device), [`FileFailure::Denied`], and
/// [`FileFailure::Os`] with `EACCES` for a file that can't be read.
pub fn open(path: &CheckedPath) -> Result<OpenFile, FileFailure> {
    if path.is_loop() {
        return Err(FileFailure::Missing);
    }
    match path.open_file() {
        Ok((opened, facts)) => Ok(OpenFile { file: opened.into(), facts }),
        // The file itself, or a directory above it? Only the first is known to be there.
        Err(OpenFailure::Os(Errno::ACCESS)) if path.facts().is_ok() => Err(FileFailure::Os(Errno::ACCESS)),
        Err(failure) => Err(FileFailure::of_look_up(failure)),
    }
}
