//! Opening a path without following a link anywhere in it.
//!
//! `openat2` does it in one call. Where the kernel lacks it, or a system-call filter refuses it, the path is opened
//! component by component, each one as "no link", which gives the same answers at a higher price.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

use crate::file::{Facts, Kind};

/// `EAGAIN` (a rename raced with the look-up) is tried again this often.
const AGAIN: usize = 16;

/// A descriptor that only names its object.
pub(crate) const NAME_ONLY: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
/// A descriptor that only names a directory.
pub(crate) const NAME_DIRECTORY: OFlags = NAME_ONLY.union(OFlags::DIRECTORY);

/// How paths are opened on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opener {
    /// One `openat2` a path.
    OpenAt2,
    /// Component by component.
    Components,
}

impl Opener {
    /// What this machine can do; found out once.
    #[must_use]
    pub fn detect() -> Self {
        static FOUND: OnceLock<Opener> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return *found;
        }
        match openat2(CWD, "/", NAME_DIRECTORY, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            Ok(_) => *FOUND.get_or_init(|| Self::OpenAt2),
            // These say nothing of the call: it is asked again the next time.
            Err(Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::INTR | Errno::AGAIN) => Self::Components,
            Err(_) => *FOUND.get_or_init(|| Self::Components),
        }
    }

    /// Opens `relative` (normalised; empty is the directory itself) below the directory `dir`, never above it.
    ///
    /// # Errors
    /// `ELOOP` when any component is a link, the last one included; else the errno of the open.
    pub(crate) fn below(self, dir: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        match self {
            Self::OpenAt2 => at_once(dir, relative, flags, ResolveFlags::BENEATH),
            Self::Components => by_component(dir, relative, flags),
        }
    }

    /// Opens the absolute, normalised path `path`.
    ///
    /// # Errors
    /// As [`Opener::below`].
    pub(crate) fn absolute(self, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        match self {
            Self::OpenAt2 => at_once(CWD, path, flags, ResolveFlags::empty()),
            Self::Components => {
                let root = openat(CWD, "/", NAME_DIRECTORY, Mode::empty())?;
                let relative = path.strip_prefix("/").unwrap_or(path);
                self.below(root.as_fd(), relative, flags)
            }
        }
    }
}

fn at_once(dir: BorrowedFd<'_>, path: &Path, flags: OFlags, scope: ResolveFlags) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS | scope;
    let mut last = Errno::AGAIN;
    for _ in 0..AGAIN {
        match openat2(dir, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve) {
            Err(Errno::AGAIN) => last = Errno::AGAIN,
            Err(Errno::INTR) => last = Errno::INTR,
            done => return done,
        }
    }
    Err(last)
}

fn by_component(dir: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut components = path.as_os_str().as_bytes().split(|byte| *byte == b'/').map(OsStr::from_bytes).peekable();
    let mut held: Option<OwnedFd> = None;
    while let Some(component) = components.next() {
        let above = held.as_ref().map_or(dir, AsFd::as_fd);
        let flags = if components.peek().is_some() { NAME_DIRECTORY } else { flags };
        held = Some(component_of(above, component, flags)?);
    }
    held.ok_or(Errno::NOENT)
}

/// Opens the single component `name` of `dir`; a link is `ELOOP`.
pub(crate) fn component_of(dir: BorrowedFd<'_>, name: &OsStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    match openat(dir, name, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
        // With "directory" and "no link" asked at once the kernel calls a link "no directory". A directory that stands
        // there by now was a link a moment ago.
        Err(Errno::NOTDIR) => match Facts::at(dir, name) {
            Ok(found) if matches!(found.kind, Kind::Link | Kind::Directory) => Err(Errno::LOOP),
            Err(Errno::NOENT) => Err(Errno::NOENT),
            Ok(_) | Err(_) => Err(Errno::NOTDIR),
        },
        // A path-only descriptor of a link is one of the link itself.
        Ok(opened) if flags.contains(OFlags::PATH) && !flags.contains(OFlags::DIRECTORY) => {
            if Facts::of(&opened)?.kind == Kind::Link { Err(Errno::LOOP) } else { Ok(opened) }
        }
        done => done,
    }
}
