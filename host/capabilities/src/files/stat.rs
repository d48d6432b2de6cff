//! Looking at one path.

use abxd_guards::file::Facts;
use abxd_guards::path::CheckedPath;

use super::failure::{FileFailure, is_absent};

/// The facts of what is under the path; `None` when nothing is, or it can't be reached (`contract: file_ops §3`).
/// Whether the argument is a link, and its text, the path itself tells ([`CheckedPath::link_target`]).
///
/// # Errors
/// [`FileFailure::Denied`] when the guard refuses what is there now; [`FileFailure::Os`].
pub fn stat(path: &CheckedPath) -> Result<Option<Facts>, FileFailure> {
    if path.is_loop() {
        return Ok(None);
    }
    match path.facts() {
        Ok(facts) => Ok(Some(facts)),
        Err(failure) if is_absent(&failure) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}
