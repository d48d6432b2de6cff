//! Whether the parts of a repository that git reads are its own: what stands there as a link leads elsewhere, to what
//! nobody has judged, and a FIFO would hold git up. Git makes neither.
//!
//! Looked at by descriptor, without following anything. What is swapped in afterwards is what the bounds of a run are
//! for (`bounds`).

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use abxd_guards::file::{Entry, Facts, Kind, Trail};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use super::GitFailure;

/// Most parts that are looked at. Git packs loose objects long before there are as many.
const MOST: usize = 1_000_000;

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// Files that are read already to find out what kind of repository it is (`gitrepository-layout(5)`).
const FIRST: [&str; 4] = ["HEAD", "config", "config.worktree", "commondir"];

/// What neither the state nor a difference is made of, and what people have elsewhere.
const UNREAD: [&str; 5] = ["annex", "hooks", "lfs", "logs", "rr-cache"];

/// Directories that are read to their depths.
const TREES: [&str; 6] = ["refs", "reftable", "info", "rebase-merge", "rebase-apply", "sequencer"];

/// Looks at what git reads first, in the directory of a repository whose path was judged.
///
/// # Errors
/// [`GitFailure::Said`] where it is no plain file.
pub(super) fn examine_first(git_dir: &Path) -> Result<(), GitFailure> {
    let Ok(directory) = openat(CWD, git_dir, DIRECTORY, Mode::empty()) else { return Ok(()) };
    for name in FIRST {
        match Facts::at(&directory, OsStr::new(name)) {
            Ok(Facts { kind: Kind::File, .. }) | Err(_) => {}
            Ok(_) => return Err(elsewhere(Path::new(name))),
        }
    }
    Ok(())
}

/// Looks at everything that git reads of a repository. `git_dir` belongs to the working tree alone, `common` to all of
/// them. The names of the directories of objects come back, which git is to be shown.
///
/// # Errors
/// [`GitFailure::Said`] where a part is a link or nothing that git makes, and where there are too many to be looked at.
pub(super) fn examine(git_dir: &OwnedFd, common: &OwnedFd) -> Result<Vec<OsString>, GitFailure> {
    let mut examination = Examination { left: MOST };
    examination.directory(git_dir.as_fd())?;
    if Facts::of(git_dir)?.id != Facts::of(common)?.id {
        examination.directory(common.as_fd())?;
    }
    examination.objects(common.as_fd())
}

struct Examination {
    left: usize,
}

impl Examination {
    /// What stands directly in the directory of a repository, and the trees in it.
    fn directory(&mut self, directory: BorrowedFd<'_>) -> Result<(), GitFailure> {
        let Some(mut top) = open(directory, Path::new("."))? else { return Ok(()) };
        while let Some(entry) = next(&mut top)? {
            self.count()?;
            // A monitor of git's listens at a socket, which can't be read.
            let is_unread = UNREAD.iter().any(|name| entry.name == *name);
            let fits = |kind| matches!(kind, Kind::File | Kind::Directory | Kind::Socket);
            if !is_unread && !kind(&top, &entry).is_none_or(fits) {
                return Err(elsewhere(Path::new(&entry.name)));
            }
        }
        TREES.iter().try_for_each(|name| self.tree(directory, Path::new(name)))
    }

    /// The directories of objects. What lists other places to look at is not among them.
    fn objects(&mut self, common: BorrowedFd<'_>) -> Result<Vec<OsString>, GitFailure> {
        let Some(mut top) = open(common, Path::new("objects"))? else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        while let Some(entry) = next(&mut top)? {
            if holds_objects(&entry.name) {
                self.tree(common, &Path::new("objects").join(&entry.name))?;
                names.push(entry.name);
            }
        }
        Ok(names)
    }

    /// Everything below a directory.
    fn tree(&mut self, directory: BorrowedFd<'_>, name: &Path) -> Result<(), GitFailure> {
        let Some(mut trail) = open(directory, name)? else { return Ok(()) };
        loop {
            let Some(entry) = next(&mut trail)? else { if trail.leave()? { continue } else { return Ok(()) } };
            self.count()?;
            match kind(&trail, &entry) {
                Some(Kind::File) | None => {}
                Some(Kind::Directory) => match trail.enter(&entry.name) {
                    Ok(()) | Err(Errno::NOENT | Errno::ACCESS) => {}
                    Err(_) => return Err(elsewhere(&trail.path().join(&entry.name))),
                },
                Some(_) => return Err(elsewhere(&trail.path().join(&entry.name))),
            }
        }
    }

    fn count(&mut self) -> Result<(), GitFailure> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            GitFailure::Said("the repository has too many files of its own; `git gc` makes them fewer".to_owned())
        })?;
        Ok(())
    }
}

/// A directory of the repository. None: there is none, or none that can be read, also by git.
fn open(directory: BorrowedFd<'_>, name: &Path) -> Result<Option<Trail>, GitFailure> {
    match openat(directory, name, DIRECTORY, Mode::empty()) {
        Ok(opened) => Ok(Some(Trail::new(opened, name.to_owned()))),
        Err(Errno::NOENT | Errno::ACCESS) => Ok(None),
        Err(Errno::LOOP | Errno::NOTDIR) => Err(elsewhere(name)),
        Err(errno) => Err(errno.into()),
    }
}

/// The next entry; a directory that was removed meanwhile has none.
fn next(trail: &mut Trail) -> Result<Option<Entry>, Errno> {
    match trail.next_entry() {
        Err(Errno::NOENT) => Ok(None),
        done => done,
    }
}

/// None: it was removed meanwhile.
fn kind(trail: &Trail, entry: &Entry) -> Option<Kind> {
    entry.kind.or_else(|| Facts::at(trail.dir(), &entry.name).ok().map(|facts| facts.kind))
}

fn holds_objects(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name == b"pack" || (name.len() == 2 && name.iter().all(u8::is_ascii_hexdigit))
}

fn elsewhere(part: &Path) -> GitFailure {
    let part = part.strip_prefix(".").unwrap_or(part).display();
    GitFailure::Said(format!("{part} of the repository is a link, or no file of git's, which is not supported here"))
}
