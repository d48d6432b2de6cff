//! Finding a file in a place by what it is, and not by its name.

use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use crate::file::{Facts, FileId, Kind, Trail};

/// Most entries below one place that are looked at for one file.
const MOST_FILES: usize = 10_000;

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// Whether a file is under the place, whatever it is called there.
///
/// # Errors
/// The errno of a look that said nothing of what is there.
pub(super) fn holds(place: &Path, file: FileId) -> Result<bool, Errno> {
    let Some(own) = there(Facts::at(CWD, place.as_os_str()))? else { return Ok(false) };
    if own.kind != Kind::Directory {
        return Ok(own.id == file);
    }
    let Some(top) = there(openat(CWD, place, DIRECTORY, Mode::empty()))? else { return Ok(false) };
    let mut trail = Trail::new(top, PathBuf::new());
    let mut seen = 0;
    loop {
        let Some(entry) = there(trail.next_entry())?.flatten() else {
            if trail.leave()? { continue } else { return Ok(false) }
        };
        seen += 1;
        if seen > MOST_FILES {
            return Ok(true);
        }
        if trail.is_directory(&entry) {
            // One that vanishes holds nothing that could be linked to.
            there(trail.enter(&entry.name))?;
        } else if there(Facts::at(trail.dir(), &entry.name))?.is_some_and(|found| found.id == file) {
            return Ok(true);
        }
    }
}

/// `None` for what is not there, or can't be read: that can't be linked from either, for want of the same permission.
fn there<T>(outcome: Result<T, Errno>) -> Result<Option<T>, Errno> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS) => Ok(None),
        Err(errno) => Err(errno),
    }
}
