//! The unfinished file behind a save.
//!
//! A [`Spool`] owns its file. Mostly it has no name (`O_TMPFILE`), so that not even a killed server leaves it behind;
//! where the file system has no such files it has a hidden one beside the target, which is removed when the spool is
//! dropped.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, CWD, FallocateFlags, Mode, OFlags, RenameFlags};
use rustix::fs::{fallocate, fchmod, ftruncate, linkat, openat, renameat, renameat_with, unlinkat};
use rustix::io::Errno;

use super::failure::FileFailure;
use super::temporary;
use abxd_guards::file::Facts;

/// Mode of new files, less the umask.
const NEW_FILE: Mode = Mode::from_raw_mode(0o666);
/// Mode while a file that replaces another is written: the other's own is set before it shows.
const PRIVATE: Mode = Mode::from_raw_mode(0o600);

const UNNAMED: OFlags = OFlags::TMPFILE.union(OFlags::RDWR).union(OFlags::CLOEXEC);
const NAMED: OFlags =
    OFlags::CREATE.union(OFlags::EXCL).union(OFlags::RDWR).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A file being written.
#[derive(Debug)]
pub(super) struct Spool {
    file: File,
    name: Option<HiddenName>,
    /// Whether it lies in the target's directory.
    beside: bool,
}

/// A hidden name; removed on drop, which finds nothing once the file has been renamed to its own name.
#[derive(Debug)]
struct HiddenName {
    dir: OwnedFd,
    name: OsString,
}

impl Drop for HiddenName {
    fn drop(&mut self) {
        let _ = unlinkat(&self.dir, &self.name, AtFlags::empty());
    }
}

impl Spool {
    /// A spool in `dir`, whether `replaces` an existing file or becomes a new one.
    ///
    /// # Errors
    /// The errno of creating a file there.
    pub(super) fn beside(dir: BorrowedFd<'_>, replaces: bool) -> Result<Self, Errno> {
        let mode = if replaces { PRIVATE } else { NEW_FILE };
        match openat(dir, ".", UNNAMED, mode) {
            Ok(file) => Ok(Self { file: file.into(), name: None, beside: true }),
            // What file systems, and kernels, without unnamed files answer.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => Self::named(dir, mode),
            Err(errno) => Err(errno),
        }
    }

    /// A spool in the system's directory for such, for content that will be poured into an existing file.
    ///
    /// # Errors
    /// The errno of creating a file there.
    pub(super) fn elsewhere() -> Result<Self, Errno> {
        let dir = openat(CWD, std::env::temp_dir(), OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let spool = Self::beside(dir.as_fd(), true)?;
        // Dropping the name at once leaves an unnamed file.
        Ok(Self { name: None, beside: false, ..spool })
    }

    fn named(dir: BorrowedFd<'_>, mode: Mode) -> Result<Self, Errno> {
        let name = temporary::fresh()?;
        let file = openat(dir, &name, NAMED, mode)?;
        let name = HiddenName { dir: duplicate(dir)?, name };
        Ok(Self { file: file.into(), name: Some(name), beside: true })
    }

    /// Whether it lies in the target's directory, so that it can become the target.
    pub(super) const fn is_beside(&self) -> bool {
        self.beside
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FileFailure> {
        self.file.write_all(bytes).map_err(|error| FileFailure::of_transfer(&error))
    }

    /// Becomes the entry `name` of `dir`, which must not exist: `EEXIST` then, and nothing is changed.
    pub(super) fn publish_new(&mut self, dir: BorrowedFd<'_>, name: &OsStr) -> Result<(), FileFailure> {
        if self.name.is_none() && self.beside {
            match self.link(dir, name) {
                Err(errno) if needs_copy(errno) => {}
                done => return Ok(done?),
            }
        }
        let hidden = self.hide_in(dir)?;
        Ok(rename_new(hidden, dir, name)?)
    }

    /// Replaces the entry `name` of `dir`: whoever opens it sees the old or the new file.
    pub(super) fn publish_over(&mut self, dir: BorrowedFd<'_>, name: &OsStr) -> Result<(), FileFailure> {
        let hidden = self.hide_in(dir)?;
        renameat(&hidden.dir, &hidden.name, dir, name)?;
        Ok(())
    }

    /// Puts the whole content into `target`, an existing file of `old` bytes. Space is reserved before anything in it
    /// is touched.
    pub(super) fn pour_into(&mut self, target: &mut File, old: u64, new: u64) -> Result<(), FileFailure> {
        if new > old {
            let reserved = fallocate(&*target, FallocateFlags::KEEP_SIZE, 0, new);
            // File systems without reservations are common; only a full one counts.
            if let Err(errno @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG)) = reserved {
                let _ = ftruncate(&*target, old);
                return Err(errno.into());
            }
        }
        let poured = self.file.rewind().and_then(|()| std::io::copy(&mut self.file, target));
        poured.map_err(|error| FileFailure::of_transfer(&error))?;
        Ok(ftruncate(&*target, new)?)
    }

    /// Gives the file a hidden name in `dir`, by a copy where the file itself can't have one.
    fn hide_in(&mut self, dir: BorrowedFd<'_>) -> Result<&HiddenName, FileFailure> {
        let usable = self.name.as_ref().is_some_and(|name| same_directory(name.dir.as_fd(), dir));
        if !usable {
            let linked = if self.name.is_none() && self.beside { self.link_hidden(dir)? } else { None };
            match linked {
                Some(name) => self.name = Some(name),
                None => *self = self.copied_to(dir)?,
            }
        }
        self.name.as_ref().ok_or(FileFailure::Os(Errno::NOENT))
    }

    fn link_hidden(&self, dir: BorrowedFd<'_>) -> Result<Option<HiddenName>, FileFailure> {
        let name = temporary::fresh()?;
        match self.link(dir, &name) {
            Ok(()) => Ok(Some(HiddenName { dir: duplicate(dir)?, name })),
            Err(errno) if needs_copy(errno) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    fn link(&self, dir: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
        match linkat(&self.file, "", dir, name, AtFlags::EMPTY_PATH) {
            // Older kernels want a capability for this, and offer the long way round.
            Err(Errno::NOENT | Errno::PERM) => {
                let path = format!("/proc/self/fd/{}", self.file.as_raw_fd());
                linkat(CWD, path, dir, name, AtFlags::SYMLINK_FOLLOW)
            }
            done => done,
        }
    }

    fn copied_to(&mut self, dir: BorrowedFd<'_>) -> Result<Self, FileFailure> {
        let mode = Facts::of(&self.file)?.mode;
        let mut copy = Self::named(dir, PRIVATE)?;
        let copied = self.file.rewind().and_then(|()| std::io::copy(&mut self.file, &mut copy.file));
        copied.map_err(|error| FileFailure::of_transfer(&error))?;
        fchmod(&copy.file, Mode::from_raw_mode(mode))?;
        Ok(copy)
    }
}

/// Whether an unnamed file can't be given a name this way, but a copy of it can.
const fn needs_copy(errno: Errno) -> bool {
    matches!(errno, Errno::NOENT | Errno::XDEV | Errno::PERM | Errno::OPNOTSUPP)
}

/// Renames without replacing anything.
fn rename_new(hidden: &HiddenName, dir: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    match renameat_with(&hidden.dir, &hidden.name, dir, name, RenameFlags::NOREPLACE) {
        // Where the file system can't, a second link gives the same certainty; the hidden one goes with the spool.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            linkat(&hidden.dir, &hidden.name, dir, name, AtFlags::empty())
        }
        done => done,
    }
}

fn same_directory(one: BorrowedFd<'_>, other: BorrowedFd<'_>) -> bool {
    match (Facts::of(one), Facts::of(other)) {
        (Ok(one), Ok(other)) => one.id == other.id,
        _ => false,
    }
}

fn duplicate(dir: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    dir.try_clone_to_owned().map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
}

#[cfg(test)]
mod tests;
