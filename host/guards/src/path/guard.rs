//! The guard of one rule: judging a path.

use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_glob::DenyPattern;
use rustix::io::Errno;

use super::checked::CheckedPath;
use super::denial::PathDenial;
use super::lexical::{accept, below, normalise, normalise_below};
use super::own::OwnPath;
use super::place::Place;
use super::protected::Protected;
use super::resolve::{Resolved, follow};
use super::roots::Roots;
use super::rule::{Access, PathRule, Symlinks};
use crate::beneath::{NAME_ONLY, Opener};

/// The path guard of one rule. Built once, shared, and free of state: each check looks at the file system anew.
#[derive(Debug)]
pub struct PathGuard {
    roots: Vec<PathBuf>,
    /// Where relative paths start; `None`: at the real path of the first root.
    working_dir: Option<PathBuf>,
    deny: Vec<DenyPattern>,
    read_only: bool,
    symlinks: Symlinks,
    protected: Arc<Protected>,
    opener: Opener,
}

impl PathGuard {
    /// The guard of `rule`. `base_dir` (absolute) is the root when the rule allows no other; relative paths then
    /// start at `working_dir` (absolute), else at the first allowed root (D26 of the decisions).
    #[must_use]
    pub fn new(rule: PathRule, base_dir: &Path, working_dir: &Path, protected: Arc<Protected>) -> Arc<Self> {
        Self::with_opener(rule, base_dir, working_dir, protected, Opener::detect())
    }

    /// As [`PathGuard::new`], with a way of opening paths that isn't what the machine would choose.
    #[must_use]
    pub fn with_opener(
        rule: PathRule,
        base_dir: &Path,
        working_dir: &Path,
        protected: Arc<Protected>,
        opener: Opener,
    ) -> Arc<Self> {
        let text = |path: &Path| normalise(path.as_os_str().as_bytes());
        let (roots, working_dir) = if rule.allow.is_empty() {
            (vec![text(base_dir)], Some(text(working_dir)))
        } else {
            (rule.allow.iter().map(|root| text(root)).collect(), None)
        };
        let PathRule { deny, read_only, symlinks, .. } = rule;
        Arc::new(Self { roots, working_dir, deny, read_only, symlinks, protected, opener })
    }

    /// Judges `raw` for `access` (`contract: guards §1`, steps 1 to 10). Nothing is said of whether it exists.
    ///
    /// # Errors
    /// The first check that refuses, in the contract's order.
    pub fn check(self: &Arc<Self>, raw: &[u8], access: Access) -> Result<CheckedPath, PathDenial> {
        let mut roots = Roots::unopened();
        let lexical = self.lexical(&mut roots, raw)?;
        self.judge(&mut roots, lexical, access)
    }

    /// Judges several paths of one request, each as [`PathGuard::check`] does and no sooner than it is asked for. What
    /// comes back shares the descriptors of the roots, however many paths there are.
    pub fn check_each<'r>(
        self: &Arc<Self>,
        raw: impl IntoIterator<Item = &'r [u8]>,
        access: Access,
    ) -> impl Iterator<Item = Result<CheckedPath, PathDenial>> {
        let mut roots = Roots::unopened();
        raw.into_iter().map(move |raw| {
            let lexical = self.lexical(&mut roots, raw)?;
            self.judge(&mut roots, lexical, access)
        })
    }

    /// Judges `raw` for an operation that acts on a link itself (`contract: file_ops §1.8`): as [`PathGuard::check`],
    /// and then the path of the link too.
    ///
    /// # Errors
    /// As [`PathGuard::check`].
    pub fn check_own(self: &Arc<Self>, raw: &[u8], access: Access) -> Result<OwnPath, PathDenial> {
        let mut roots = Roots::unopened();
        let lexical = self.lexical(&mut roots, raw)?;
        self.judge_own(&mut roots, lexical, access)
    }

    /// Judges an absolute path that is already normalised.
    pub(super) fn judge(
        self: &Arc<Self>,
        roots: &mut Roots,
        lexical: PathBuf,
        access: Access,
    ) -> Result<CheckedPath, PathDenial> {
        let resolved = self.resolve(roots, &lexical);
        let place = self.admit(roots, Some(&lexical), &resolved.path)?;
        if self.denies(&resolved.path) || (lexical != resolved.path && self.denies(&lexical)) {
            return Err(PathDenial::Denied);
        }
        self.admit_access(access)?;
        Ok(CheckedPath::new(Arc::clone(self), lexical, access, place, resolved))
    }

    pub(super) fn judge_own(
        self: &Arc<Self>,
        roots: &mut Roots,
        lexical: PathBuf,
        access: Access,
    ) -> Result<OwnPath, PathDenial> {
        let target = self.judge(roots, lexical, access)?;
        let place = match target.own() {
            None => target.place().clone(),
            Some(own) => {
                let place = self.admit(roots, None, own)?;
                // A link on the way to one of the server's own files stays what it is.
                if self.denies(own) || self.protected.touches_below(own) {
                    return Err(PathDenial::Denied);
                }
                place
            }
        };
        Ok(OwnPath::new(target, place))
    }

    /// Steps 1 to 4: from raw text to an absolute path.
    fn lexical(&self, roots: &mut Roots, raw: &[u8]) -> Result<PathBuf, PathDenial> {
        accept(raw)?;
        if raw.first() == Some(&b'/') {
            return Ok(normalise(raw));
        }
        match &self.working_dir {
            Some(dir) => Ok(normalise_below(dir, raw)),
            None => self.root(roots, 0).map(|first| normalise_below(&first.real, raw)).ok_or(PathDenial::Outside),
        }
    }

    /// Step 5. One open that refuses links tells for the usual path that there is none in it.
    fn resolve(&self, roots: &mut Roots, lexical: &Path) -> Resolved {
        let mut index = 0;
        while let Some(root) = self.root(roots, index) {
            index += 1;
            let Some(rest) = root.covers(lexical) else { continue };
            if rest.as_os_str().is_empty() && root.real != lexical {
                // The root as it is written: its own last component may be a link, which is to be known.
                break;
            }
            let probe = root.dir.as_deref().map(|dir| self.opener.below(dir.as_fd(), rest, NAME_ONLY));
            return match probe {
                // These ends of the walk come before any link; others may hide one.
                Some(Ok(_) | Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS)) => {
                    Resolved::plain(normalise_below(&root.real, rest.as_os_str().as_bytes()))
                }
                _ => follow(&root.real, rest),
            };
        }
        follow(Path::new("/"), lexical)
    }

    /// Steps 6 and 7 (without `lexical` only 6): the place of the real path below the root that admits it.
    pub(super) fn admit(&self, roots: &mut Roots, lexical: Option<&Path>, real: &Path) -> Result<Place, PathDenial> {
        let mut refusal = PathDenial::Outside;
        let mut index = 0;
        while let Some(root) = self.root(roots, index) {
            index += 1;
            let Some(rest) = below(real, &root.real) else { continue };
            match (self.symlinks, lexical) {
                (Symlinks::Never, Some(lexical)) if !root.rebases(lexical, rest) => refusal = PathDenial::Symlink,
                _ => return Ok(Place::below(root, real.to_owned(), rest)),
            }
        }
        Err(refusal)
    }

    /// Step 8 for one of the two paths.
    pub(super) fn denies(&self, path: &Path) -> bool {
        if self.protected.covers(path) {
            return true;
        }
        let text = self.deny.first().map(|_| path.to_string_lossy());
        text.is_some_and(|text| self.deny.iter().any(|pattern| pattern.matches(&text)))
    }

    /// Step 8 for an entry of a directory that has passed it.
    pub(super) fn denies_entry(&self, path: &Path) -> bool {
        if self.protected.names(path) {
            return true;
        }
        let text = self.deny.first().map(|_| path.to_string_lossy());
        text.is_some_and(|text| self.deny.iter().any(|pattern| pattern.matches_entry(&text)))
    }

    /// Step 9.
    const fn admit_access(&self, access: Access) -> Result<(), PathDenial> {
        if self.read_only && access.changes() { Err(PathDenial::ReadOnly) } else { Ok(()) }
    }

    /// Whether the rule has deny patterns of its own.
    pub(super) fn has_patterns(&self) -> bool {
        !self.deny.is_empty()
    }

    /// Whether the rule has roots of its own.
    pub(super) const fn has_roots(&self) -> bool {
        self.working_dir.is_none()
    }

    pub(super) fn protected(&self) -> &Protected {
        &self.protected
    }

    pub(super) const fn symlinks(&self) -> Symlinks {
        self.symlinks
    }

    pub(super) const fn opener(&self) -> Opener {
        self.opener
    }

    pub(super) fn root<'r>(&self, roots: &'r mut Roots, index: usize) -> Option<&'r super::roots::OpenRoot> {
        roots.get(&self.roots, self.opener, index)
    }
}
