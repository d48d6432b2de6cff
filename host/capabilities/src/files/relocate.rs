//! Moving to another file system: copy beside the destination under a hidden name, put the copy in place in one step,
//! remove the source. Whatever fails before the source begins to go leaves everything as it was.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;

use abxd_guards::file::{Facts, Kind, Trail};
use rustix::fs::{Access, AtFlags, FileType, Gid, Mode, OFlags, RenameFlags, Uid, makedev};
use rustix::fs::{accessat, chownat, mkdirat, mknodat, openat, readlinkat, renameat, renameat_with};
use rustix::fs::{symlinkat, unlinkat, utimensat};
use rustix::io::Errno;

use super::attributes;
use super::failure::FileFailure;
use super::remove::remove_tree;
use super::rename::{Landing, Occupant, Origin};
use super::temporary;

const PRIVATE_FILE: Mode = Mode::from_raw_mode(0o600);
const PRIVATE_DIRECTORY: Mode = Mode::from_raw_mode(0o700);

const SOURCE: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
const NEW_FILE: OFlags =
    OFlags::CREATE.union(OFlags::EXCL).union(OFlags::WRONLY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Moves by copying. The copy carries mode, owner, extended attributes and times where the process may set them.
///
/// # Errors
/// [`FileFailure::Os`].
pub(super) fn relocate(origin: &Origin, landing: &Landing) -> Result<(), FileFailure> {
    may_empty(origin.parent.dir())?;
    let draft = Draft { dir: landing.parent.dir(), name: temporary::fresh()? };
    copy(&origin.facts, origin.parent.dir(), origin.parent.name(), draft.dir, &draft.name)?;
    let placed = draft.place(landing)?;
    let (dir, name) = (origin.parent.dir(), origin.parent.name());
    if origin.facts.kind == Kind::Directory {
        // Should this end half way, both trees stay: nothing is lost.
        return Ok(remove_tree(dir, name)?);
    }
    unlinkat(dir, name, AtFlags::empty()).map_err(|errno| {
        draft.take_back(landing, placed);
        errno.into()
    })
}

/// The copy under its hidden name. Dropping it removes what has the name then: an unfinished copy, or what the
/// finished one has replaced.
struct Draft<'l> {
    dir: BorrowedFd<'l>,
    name: OsString,
}

/// How the copy got its final name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Placed {
    New,
    Exchanged,
    Over,
}

impl Draft<'_> {
    fn place(&self, landing: &Landing) -> Result<Placed, Errno> {
        let to = &landing.parent;
        let (flags, placed) = match landing.occupant {
            Occupant::Nothing => (RenameFlags::NOREPLACE, Placed::New),
            Occupant::File | Occupant::Link | Occupant::Twin => (RenameFlags::EXCHANGE, Placed::Exchanged),
        };
        match renameat_with(self.dir, &self.name, to.dir(), to.name(), flags) {
            Ok(()) => Ok(placed),
            Err(Errno::INVAL | Errno::NOSYS) => {
                if landing.occupant == Occupant::Link {
                    // A directory can't be renamed over it.
                    unlinkat(to.dir(), to.name(), AtFlags::empty())?;
                }
                renameat(self.dir, &self.name, to.dir(), to.name())?;
                Ok(Placed::Over)
            }
            Err(errno) => Err(errno),
        }
    }

    /// Undoes [`Draft::place`] as far as that can be done.
    fn take_back(&self, landing: &Landing, placed: Placed) {
        let to = &landing.parent;
        let undone = match placed {
            Placed::New => unlinkat(to.dir(), to.name(), AtFlags::empty()),
            Placed::Exchanged => renameat_with(self.dir, &self.name, to.dir(), to.name(), RenameFlags::EXCHANGE),
            Placed::Over => return,
        };
        // The failure that led here is what gets reported.
        let _ = undone;
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if unlinkat(self.dir, &self.name, AtFlags::empty()) == Err(Errno::ISDIR) {
            let _ = remove_tree(self.dir, &self.name);
        }
    }
}

/// Whether entries of `dir` may be removed: asked before anything is copied.
fn may_empty(dir: BorrowedFd<'_>) -> Result<(), Errno> {
    accessat(dir, ".", Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)
}

fn copy(facts: &Facts, from: BorrowedFd<'_>, name: &OsStr, to: BorrowedFd<'_>, new: &OsStr) -> Result<(), FileFailure> {
    match facts.kind {
        Kind::Directory => copy_tree(from, name, to, new),
        Kind::File => copy_file(from, name, to, new),
        Kind::Link => Ok(copy_link(facts, from, name, to, new)?),
        Kind::Fifo => Ok(copy_node(facts, FileType::Fifo, to, new)?),
        Kind::Socket => Ok(copy_node(facts, FileType::Socket, to, new)?),
        Kind::Device => Err(FileFailure::Os(Errno::XDEV)),
    }
}

fn copy_file(from: BorrowedFd<'_>, name: &OsStr, to: BorrowedFd<'_>, new: &OsStr) -> Result<(), FileFailure> {
    let mut source = File::from(openat(from, name, SOURCE, Mode::empty())?);
    let facts = Facts::of(&source)?;
    if facts.kind != Kind::File {
        return Err(FileFailure::NotAFile);
    }
    let mut copy = File::from(openat(to, new, NEW_FILE, PRIVATE_FILE)?);
    std::io::copy(&mut source, &mut copy).map_err(|error| FileFailure::of_transfer(&error))?;
    Ok(attributes::copy(&source, &copy, &facts)?)
}

fn copy_link(facts: &Facts, from: BorrowedFd<'_>, name: &OsStr, to: BorrowedFd<'_>, new: &OsStr) -> Result<(), Errno> {
    let target = readlinkat(from, name, Vec::new())?;
    symlinkat(&target, to, new)?;
    let _ = chownat(to, new, Some(Uid::from_raw(facts.uid)), Some(Gid::from_raw(facts.gid)), AtFlags::SYMLINK_NOFOLLOW);
    let _ = utimensat(to, new, &attributes::times(facts), AtFlags::SYMLINK_NOFOLLOW);
    Ok(())
}

fn copy_node(facts: &Facts, kind: FileType, to: BorrowedFd<'_>, new: &OsStr) -> Result<(), Errno> {
    mknodat(to, new, kind, Mode::from_raw_mode(facts.mode & 0o777), makedev(0, 0))?;
    let _ = utimensat(to, new, &attributes::times(facts), AtFlags::SYMLINK_NOFOLLOW);
    Ok(())
}

fn copy_tree(from: BorrowedFd<'_>, name: &OsStr, to: BorrowedFd<'_>, new: &OsStr) -> Result<(), FileFailure> {
    let mut source = Trail::new(directory(from, name)?, PathBuf::new());
    mkdirat(to, new, PRIVATE_DIRECTORY)?;
    let mut copied = Trail::new(directory(to, new)?, PathBuf::new());
    // Whether the directory is known to be one that can be emptied afterwards.
    let mut cleared = false;
    loop {
        let Some(entry) = source.next_entry()? else {
            attributes::copy(source.dir(), copied.dir(), &Facts::of(source.dir())?)?;
            if !source.leave()? {
                return Ok(());
            }
            copied.leave()?;
            cleared = true;
            continue;
        };
        if !cleared {
            may_empty(source.dir())?;
            cleared = true;
        }
        let facts = match Facts::at(source.dir(), &entry.name) {
            Ok(facts) => facts,
            Err(Errno::NOENT) => continue,
            Err(errno) => return Err(errno.into()),
        };
        if facts.kind == Kind::Directory {
            source.enter(&entry.name)?;
            mkdirat(copied.dir(), &entry.name, PRIVATE_DIRECTORY)?;
            copied.enter(&entry.name)?;
            cleared = false;
        } else {
            copy(&facts, source.dir(), &entry.name, copied.dir(), &entry.name)?;
        }
    }
}

fn directory(dir: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(dir, name, SOURCE | OFlags::DIRECTORY, Mode::empty())
}

#[cfg(test)]
mod tests;
