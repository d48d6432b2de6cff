//! A judged path as something that can be opened.
//!
//! A [`Place`] shares the descriptor of the root that admitted the path with the check that made it. It opens its own
//! text and nothing else.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
use rustix::io::Errno;

use super::denial::{OpenFailure, PathDenial};
use super::roots::OpenRoot;
use crate::beneath::{NAME_DIRECTORY, NAME_ONLY, Opener, component_of};
use crate::file::Facts;

/// How often a path is judged and opened anew when links are swapped in, or directories removed, under it.
const ATTEMPTS: usize = 4;

/// Mode of directories made on the way, less the umask.
const NEW_DIRECTORY: Mode = Mode::from_raw_mode(0o777);

/// A real path and where to open it from.
#[derive(Clone, Debug)]
pub(super) struct Place {
    real: PathBuf,
    /// The root's directory; `None` when the path is the root itself or the root isn't there: then from `/`.
    anchor: Option<Arc<OwnedFd>>,
    /// What follows the root.
    rest: PathBuf,
}

/// The directory that a checked path's last component lies in, and that component.
#[derive(Clone, Debug)]
pub struct Parent {
    dir: Arc<OwnedFd>,
    name: OsString,
}

impl Parent {
    /// The directory, as a path-only descriptor: good for the `…at` calls.
    #[must_use]
    pub fn dir(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }

    /// The last component, never empty, `.` or `..`.
    #[must_use]
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// What stands under the name now; a link stands for itself.
    ///
    /// # Errors
    /// The errno of `statx`: `ENOENT` when nothing does.
    pub fn facts(&self) -> Result<Facts, Errno> {
        Facts::at(self.dir(), &self.name)
    }

    /// Opens what stands under the name; a link is `ELOOP`.
    ///
    /// # Errors
    /// The errno of the open.
    pub fn open(&self, flags: OFlags) -> Result<OwnedFd, Errno> {
        component_of(self.dir(), &self.name, flags)
    }
}

impl Place {
    /// The path `rest` below `root`, which is `real`.
    pub(super) fn below(root: &OpenRoot, real: PathBuf, rest: &Path) -> Self {
        let anchor = root.dir.clone().filter(|_| !rest.as_os_str().is_empty());
        Self { real, anchor, rest: rest.to_owned() }
    }

    pub(super) fn real(&self) -> &Path {
        &self.real
    }

    /// Opens the place itself.
    pub(super) fn open(&self, opener: Opener, flags: OFlags) -> Result<OwnedFd, Errno> {
        match &self.anchor {
            Some(root) => opener.below(root.as_fd(), &self.rest, flags),
            None => opener.absolute(&self.real, flags),
        }
    }

    /// Opens its directory.
    pub(super) fn parent(&self, opener: Opener) -> Result<Parent, OpenFailure> {
        self.parent_or(opener, |_| Err(Errno::NOENT.into()))
    }

    /// Opens its directory; makes it, and those above it, where they are missing.
    pub(super) fn parent_made(&self, opener: Opener) -> Result<Parent, OpenFailure> {
        self.parent_or(opener, |above| {
            let start = match &self.anchor {
                Some(root) => Arc::clone(root),
                None => Arc::new(openat(CWD, "/", NAME_DIRECTORY, Mode::empty())?),
            };
            make_down(start, above)
        })
    }

    fn parent_or(
        &self,
        opener: Opener,
        missing: impl FnOnce(&Path) -> Result<Arc<OwnedFd>, OpenFailure>,
    ) -> Result<Parent, OpenFailure> {
        let whole = if self.anchor.is_some() { &self.rest } else { &self.real };
        let (Some(above), Some(name)) = (whole.parent(), whole.file_name()) else {
            return Err(Errno::ISDIR.into());
        };
        let opened = match &self.anchor {
            Some(root) if above.as_os_str().is_empty() => Ok(Arc::clone(root)),
            Some(root) => opener.below(root.as_fd(), above, NAME_DIRECTORY).map(Arc::new),
            None => opener.absolute(above, NAME_DIRECTORY).map(Arc::new),
        };
        let dir = match opened {
            Ok(dir) => dir,
            Err(Errno::NOENT) => missing(above)?,
            Err(Errno::NOTDIR) => {
                let there = match &self.anchor {
                    Some(root) => opener.below(root.as_fd(), above, NAME_ONLY),
                    None => opener.absolute(above, NAME_ONLY),
                };
                return Err(OpenFailure::ParentNotDirectory { direct: there.is_ok() });
            }
            Err(errno) => return Err(errno.into()),
        };
        Ok(Parent { dir, name: name.to_owned() })
    }
}

/// Opens `path` below `start`, making each directory that is missing.
fn make_down(start: Arc<OwnedFd>, path: &Path) -> Result<Arc<OwnedFd>, OpenFailure> {
    let names = path.as_os_str().as_bytes().split(|byte| *byte == b'/').filter(|name| !name.is_empty());
    let mut names = names.map(OsStr::from_bytes).peekable();
    let mut dir = start;
    while let Some(name) = names.next() {
        dir = match enter_or_make(dir.as_fd(), name) {
            Ok(inner) => Arc::new(inner),
            Err(Errno::NOTDIR) => return Err(OpenFailure::ParentNotDirectory { direct: names.peek().is_none() }),
            Err(errno) => return Err(errno.into()),
        };
    }
    Ok(dir)
}

fn enter_or_make(dir: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    for _ in 0..ATTEMPTS {
        match component_of(dir, name, NAME_DIRECTORY) {
            Err(Errno::NOENT) => match mkdirat(dir, name, NEW_DIRECTORY) {
                // Someone else made it in the same moment: good.
                Ok(()) | Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno),
            },
            done => return done,
        }
    }
    Err(Errno::NOENT)
}

/// Runs `act` on `place`. Where that meets a link, the path is judged again; it is tried again as long as the
/// judgement names the same real path.
pub(super) fn attempt<T>(
    place: &Place,
    judge_again: impl Fn() -> Result<Place, PathDenial>,
    act: impl Fn(&Place) -> Result<T, OpenFailure>,
) -> Result<T, OpenFailure> {
    let mut outcome = act(place);
    for _ in 1..ATTEMPTS {
        let Err(OpenFailure::Os(Errno::LOOP | Errno::XDEV)) = outcome else { return outcome };
        let fresh = judge_again()?;
        if fresh.real != place.real {
            break;
        }
        outcome = act(&fresh);
    }
    match outcome {
        Err(OpenFailure::Os(Errno::LOOP | Errno::XDEV)) => Err(PathDenial::Symlink.into()),
        done => done,
    }
}
