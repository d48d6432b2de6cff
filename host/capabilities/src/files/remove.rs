//! Removing files and trees.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::path::Path;

use abxd_guards::file::{Kind, Trail};
use abxd_guards::path::{OwnPath, PathDenial};
use rustix::fs::{AtFlags, Mode, OFlags, openat, unlinkat};
use rustix::io::Errno;

use super::failure::FileFailure;

/// How often directories that fill up while they are emptied are emptied again, over a whole removal.
const REFILLS: usize = 64;
/// How often an entry may turn from a directory into something else, or back, under the removal.
const FLIPS: usize = 8;

/// Removes what is under the path itself: a link as a link, a directory with all that is in it, links in it never
/// followed (`contract: file_ops §5`).
///
/// # Errors
/// [`FileFailure::Missing`]; [`FileFailure::Denied`] for a root or a tree that the guard protects (nothing is removed
/// then); [`FileFailure::Os`], a tree may then be half removed.
pub fn remove(path: &OwnPath) -> Result<(), FileFailure> {
    if path.path().parent().is_none() {
        return Err(PathDenial::Denied.into());
    }
    let parent = path.parent().map_err(FileFailure::of_look_up)?;
    let facts = parent.facts().map_err(|errno| FileFailure::of_look_up(errno.into()))?;
    path.protect_tree(&parent, &facts)?;
    let removed = match facts.kind {
        Kind::Directory => remove_tree(parent.dir(), parent.name()),
        // Should a directory stand there by now, it was not looked through: the kernel refuses.
        _ => unlinkat(parent.dir(), parent.name(), AtFlags::empty()),
    };
    match removed {
        Err(Errno::NOENT) => Err(FileFailure::Missing),
        done => Ok(done?),
    }
}

/// Removes the directory `name` of `above` with all that is in it.
///
/// # Errors
/// The errno of the first step that fails.
pub(super) fn remove_tree(above: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    match unlinkat(above, name, AtFlags::REMOVEDIR) {
        Err(Errno::NOTEMPTY | Errno::EXIST) => {}
        done => return done,
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut trail = Trail::new(openat(above, name, flags, Mode::empty())?, Path::new(name).to_owned());
    let mut refills = 0;
    loop {
        let inner = match trail.next_entry()? {
            Some(entry) => {
                let directory = trail.is_directory(&entry);
                if !clear(trail.dir(), &entry.name, directory)? {
                    trail.enter(&entry.name)?;
                }
                continue;
            }
            None => trail.path().file_name().unwrap_or_default().to_owned(),
        };
        let top = !trail.leave()?;
        let dir = if top { above } else { trail.dir() };
        match unlinkat(dir, &inner, AtFlags::REMOVEDIR) {
            Err(Errno::NOTEMPTY | Errno::EXIST) if refills < REFILLS => {
                refills += 1;
                if top { trail.rewind()? } else { trail.enter(&inner)? }
            }
            Err(Errno::NOENT) if !top => {}
            Err(errno) => return Err(errno),
            Ok(()) if top => return Ok(()),
            Ok(()) => {}
        }
    }
}

/// Removes the entry unless it is a directory with something in it; then `false`.
fn clear(dir: BorrowedFd<'_>, name: &OsStr, mut directory: bool) -> Result<bool, Errno> {
    for _ in 0..FLIPS {
        match unlinkat(dir, name, if directory { AtFlags::REMOVEDIR } else { AtFlags::empty() }) {
            Ok(()) | Err(Errno::NOENT) => return Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST) if directory => return Ok(false),
            Err(Errno::ISDIR) if !directory => directory = true,
            Err(Errno::NOTDIR) if directory => directory = false,
            Err(errno) => return Err(errno),
        }
    }
    Err(Errno::BUSY)
}
