//! Making directories.

use abxd_guards::file::Kind;
use abxd_guards::path::{CheckedPath, Parent, PathDenial};
use rustix::fs::{Mode, mkdirat};
use rustix::io::Errno;

use super::failure::FileFailure;
use super::settle::{in_place, settle};

/// Makes the directory and those above it, mode 0777 less the umask (`contract: file_ops §4`). One that is there
/// already, or that someone else makes in the same moment, is fine.
///
/// # Errors
/// [`FileFailure::Os`]: `EEXIST` when something else is there or links lead in a circle, `ENOTDIR` when a parent is
/// no directory; [`FileFailure::Denied`]; [`FileFailure::Missing`] when what it makes is removed again and again.
pub fn make_dir(path: &CheckedPath) -> Result<(), FileFailure> {
    if path.is_loop() {
        return Err(FileFailure::Os(Errno::EXIST));
    }
    if path.real().parent().is_none() {
        return Ok(());
    }
    settle(|| {
        let parent = path.parent_made()?;
        in_place(make_in(&parent), &parent, || path.parent())
    })
}

fn make_in(parent: &Parent) -> Result<(), FileFailure> {
    match mkdirat(parent.dir(), parent.name(), Mode::from_raw_mode(0o777)) {
        Err(Errno::EXIST) => match parent.facts()?.kind {
            Kind::Directory => Ok(()),
            Kind::Link => Err(PathDenial::Symlink.into()),
            _ => Err(FileFailure::Os(Errno::EXIST)),
        },
        done => Ok(done?),
    }
}
