//! A path that passed the guard.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::OFlags;

use super::denial::{OpenFailure, PathDenial};
use super::guard::PathGuard;
use super::place::{Parent, Place, attempt};
use super::resolve::{FinalLink, Resolved};
use super::roots::Roots;
use super::rule::Access;
use super::walk::Walk;
use crate::beneath::{NAME_DIRECTORY, NAME_ONLY};
use crate::file::{Facts, Kind};

/// What is asked of an open that must not wait: a FIFO would block, a terminal would become ours.
const CAREFUL: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A path that passed [`PathGuard::check`]. Holds the descriptor of its root until it is dropped.
#[derive(Debug)]
pub struct CheckedPath {
    guard: Arc<PathGuard>,
    lexical: PathBuf,
    access: Access,
    place: Place,
    link: Option<FinalLink>,
    looped: bool,
}

impl CheckedPath {
    pub(super) fn new(guard: Arc<PathGuard>, lexical: PathBuf, access: Access, place: Place, found: Resolved) -> Self {
        Self { guard, lexical, access, place, link: found.link, looped: found.looped }
    }

    /// The path with every link followed: what operations act on and answers report.
    #[must_use]
    pub fn real(&self) -> &Path {
        self.place.real()
    }

    /// What the path was admitted for.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.access
    }

    /// The text of the link that the argument's last component is, the first one where several are chained.
    #[must_use]
    pub fn link_target(&self) -> Option<&OsStr> {
        self.link.as_ref().map(|link| link.target.as_os_str())
    }

    /// Whether links lead in a circle, so that nothing can be there.
    #[must_use]
    pub const fn is_loop(&self) -> bool {
        self.looped
    }

    /// The facts of what is there, of any kind. Touches nothing: no FIFO is opened, no device woken.
    ///
    /// # Errors
    /// The guard's refusal of what is there now, or the errno of the open.
    pub fn facts(&self) -> Result<Facts, OpenFailure> {
        Ok(Facts::of(self.open(NAME_ONLY)?)?)
    }

    /// Opens the regular file that is there, for reading.
    ///
    /// # Errors
    /// [`OpenFailure::NotAFile`] for every other kind, told before anything is opened for good;
    /// [`PathDenial::Denied`] for another name of one of the server's own files; the errno of the open.
    pub fn open_file(&self) -> Result<(OwnedFd, Facts), OpenFailure> {
        self.admit_file(&self.facts()?)?;
        let opened = self.open(OFlags::RDONLY | CAREFUL)?;
        // Another file may stand there by now; the descriptor is what counts.
        let facts = Facts::of(&opened)?;
        self.admit_file(&facts)?;
        Ok((opened, facts))
    }

    /// Opens the directory that is there, for reading its entries.
    ///
    /// # Errors
    /// `ENOTDIR` when it is none; else as [`CheckedPath::facts`].
    pub fn open_directory(&self) -> Result<OwnedFd, OpenFailure> {
        self.open(OFlags::RDONLY | OFlags::DIRECTORY | CAREFUL)
    }

    /// Opens the directory that is there, by name only: good to enter, also where its entries can't be read.
    ///
    /// # Errors
    /// `ENOTDIR` when it is none; else as [`CheckedPath::facts`].
    pub fn name_directory(&self) -> Result<OwnedFd, OpenFailure> {
        self.open(NAME_DIRECTORY)
    }

    /// Opens the directory that the last component lies in.
    ///
    /// # Errors
    /// [`OpenFailure::ParentNotDirectory`], the guard's refusal, or the errno of the open.
    pub fn parent(&self) -> Result<Parent, OpenFailure> {
        self.attempt(|place| place.parent(self.guard.opener()))
    }

    /// As [`CheckedPath::parent`]; makes the directories that are missing (mode 0777 less the umask).
    ///
    /// # Errors
    /// As [`CheckedPath::parent`], and the errno of making a directory.
    pub fn parent_made(&self) -> Result<Parent, OpenFailure> {
        self.attempt(|place| place.parent_made(self.guard.opener()))
    }

    /// Judges the entry `name` of this directory like any path, for `access`.
    ///
    /// # Errors
    /// [`PathDenial::Name`] when `name` isn't one component; else as [`PathGuard::check`].
    pub fn child(&self, name: &OsStr, access: Access) -> Result<Self, PathDenial> {
        let bytes = name.as_bytes();
        if matches!(bytes, b"" | b"." | b"..") || bytes.contains(&b'/') || bytes.contains(&0) {
            return Err(PathDenial::Name);
        }
        self.guard.judge(&mut Roots::unopened(), self.real().join(name), access)
    }

    /// A judge for the entries below this directory.
    #[must_use]
    pub fn walk(&self) -> Walk {
        Walk::new(Arc::clone(&self.guard), self.real())
    }

    /// Whether a regular file with these facts, found under this path, may be read or changed.
    ///
    /// # Errors
    /// [`OpenFailure::NotAFile`] for other kinds, [`PathDenial::Denied`] for another name of one of the server's own
    /// files, the errno of looking for one.
    pub fn admit_file(&self, facts: &Facts) -> Result<(), OpenFailure> {
        if facts.kind != Kind::File {
            return Err(OpenFailure::NotAFile);
        }
        if self.guard.protected().is_alias(facts)? {
            return Err(PathDenial::Denied.into());
        }
        Ok(())
    }

    /// Whether something that is moved here, where nothing is, may lie here: not where one of the server's own files is
    /// to lie below. What came with it would be taken for the server's.
    ///
    /// # Errors
    /// [`PathDenial::Denied`].
    pub fn admit_arrival(&self) -> Result<(), PathDenial> {
        if self.guard.protected().touches_below(self.real()) { Err(PathDenial::Denied) } else { Ok(()) }
    }

    fn open(&self, flags: OFlags) -> Result<OwnedFd, OpenFailure> {
        self.attempt(|place| Ok(place.open(self.guard.opener(), flags)?))
    }

    fn attempt<T>(&self, act: impl Fn(&Place) -> Result<T, OpenFailure>) -> Result<T, OpenFailure> {
        let again = || {
            let fresh = self.guard.judge(&mut Roots::unopened(), self.lexical.clone(), self.access)?;
            Ok(fresh.place)
        };
        attempt(&self.place, again, act)
    }

    pub(super) fn guard(&self) -> &Arc<PathGuard> {
        &self.guard
    }

    pub(super) fn lexical(&self) -> &Path {
        &self.lexical
    }

    pub(super) const fn place(&self) -> &Place {
        &self.place
    }

    /// The path of the link itself, where the last component is one.
    pub(super) fn own(&self) -> Option<&Path> {
        self.link.as_ref().map(|link| link.own.as_path())
    }
}
