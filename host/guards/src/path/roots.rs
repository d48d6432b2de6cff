//! The roots of a rule, opened when they are needed and for one judgement (or one walk) only: a root may appear, go,
//! or become a link while the server runs.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use super::lexical::below;
use super::resolve::follow;
use crate::beneath::{NAME_DIRECTORY, Opener};

/// One root.
#[derive(Debug)]
pub(super) struct OpenRoot {
    written: PathBuf,
    /// Its real path, whether it exists or not.
    pub(super) real: PathBuf,
    /// Its descriptor; `None` when it isn't there, or isn't a directory.
    pub(super) dir: Option<Arc<OwnedFd>>,
}

impl OpenRoot {
    fn open(written: &Path, opener: Opener) -> Self {
        let (real, dir) = match opener.absolute(written, NAME_DIRECTORY) {
            Ok(dir) => (written.to_owned(), Some(dir)),
            // The walk ended before it met a link.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => (written.to_owned(), None),
            Err(_) => {
                let real = follow(Path::new("/"), written).path;
                let dir = opener.absolute(&real, NAME_DIRECTORY).ok();
                (real, dir)
            }
        };
        Self { written: written.to_owned(), real, dir: dir.map(Arc::new) }
    }

    /// What follows the root in the lexical path, with the root as it is written or as it really is.
    pub(super) fn covers<'p>(&self, lexical: &'p Path) -> Option<&'p Path> {
        below(lexical, &self.real).or_else(|| below(lexical, &self.written))
    }

    /// Whether `lexical`, re-based on the real root, is `rest` below it: no link was followed below the root.
    pub(super) fn rebases(&self, lexical: &Path, rest: &Path) -> bool {
        below(lexical, &self.real) == Some(rest) || below(lexical, &self.written) == Some(rest)
    }
}

/// The roots of one rule as they are now.
#[derive(Debug)]
pub(super) struct Roots {
    opened: Vec<OpenRoot>,
}

impl Roots {
    pub(super) const fn unopened() -> Self {
        Self { opened: Vec::new() }
    }

    /// Root number `index` of `written`; `None` past the end.
    pub(super) fn get(&mut self, written: &[PathBuf], opener: Opener, index: usize) -> Option<&OpenRoot> {
        while self.opened.len() <= index {
            let next = written.get(self.opened.len())?;
            self.opened.push(OpenRoot::open(next, opener));
        }
        self.opened.get(index)
    }
}
