//! Judging the names that another program reports, before anybody sees them (`contract: dev_tools`, what git may show).

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::guard::PathGuard;
use super::lexical::normalise;
use super::resolve::follow;
use super::roots::Roots;

/// The judge of one report. Holds the roots' descriptors while it lives.
#[derive(Debug)]
pub struct Reported {
    guard: Arc<PathGuard>,
    roots: Roots,
    /// The directory of the last name, as it is written and as it really is: reports go directory by directory.
    above: Option<(PathBuf, PathBuf)>,
}

impl PathGuard {
    /// A judge for names that are shown and not opened.
    #[must_use]
    pub fn reported(self: &Arc<Self>) -> Reported {
        Reported { guard: Arc::clone(self), roots: Roots::unopened(), above: None }
    }

    /// Whether the rule narrows the paths that an endpoint takes: it has roots or deny patterns of its own.
    #[must_use]
    pub fn narrows(&self) -> bool {
        self.has_roots() || self.has_patterns()
    }

    /// Whether the rule has deny patterns of its own.
    #[must_use]
    pub fn denies_some(&self) -> bool {
        self.has_patterns()
    }
}

impl Reported {
    /// Whether the guard lets `path` (absolute) through for reading. Links above the last component are followed; that
    /// itself is taken as what it is, even where it is a link.
    pub fn admits(&mut self, path: &Path) -> bool {
        let lexical = normalise(path.as_os_str().as_bytes());
        let real = match (lexical.parent(), lexical.file_name()) {
            (Some(above), Some(name)) => self.real_of(above).join(name),
            _ => lexical.clone(),
        };
        self.guard.admit(&mut self.roots, Some(&lexical), &real).is_ok()
            && !self.guard.denies(&real)
            && (lexical == real || !self.guard.denies(&lexical))
    }

    fn real_of(&mut self, above: &Path) -> &Path {
        let real = match self.above.take() {
            Some((written, real)) if written == above => real,
            _ => follow(Path::new("/"), above).path,
        };
        let (_, real) = self.above.insert((above.to_owned(), real));
        real
    }
}
