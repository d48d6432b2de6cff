//! Following links in user space (`contract: guards §1 step 5`).
//!
//! Every component is asked for its link text. What isn't a link, or can't be asked (missing, no permission, too
//! long), is kept as it is. The result is only judged, never trusted: opens refuse links on their own.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, readlinkat};

use super::lexical;
use crate::kernel_trees;

/// Links followed for one path before it counts as a loop: the kernel's own limit.
const MAX_LINKS: usize = 40;

/// A path with its links followed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) path: PathBuf,
    /// Set when the last component of what was asked for is a link.
    pub(super) link: Option<FinalLink>,
    /// Whether a loop ended the resolution; `path` then still has the link in it.
    pub(crate) looped: bool,
    /// Whether one of the links that were followed lies in a tree of the kernel.
    pub(crate) through_kernel: bool,
}

/// The link that a path's last component is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FinalLink {
    /// Real path of its directory and its name.
    pub(super) own: PathBuf,
    /// The text stored in it.
    pub(super) target: OsString,
}

impl Resolved {
    /// A path that is known to hold no link.
    pub(super) const fn plain(path: PathBuf) -> Self {
        Self { path, link: None, looped: false, through_kernel: false }
    }
}

/// Resolves `rest` below `base`, a real path. A `..` in it is taken as the kernel takes it: from where a link before it
/// leads.
pub(crate) fn follow(base: &Path, rest: &Path) -> Resolved {
    let mut chase = Chase::at(base);
    chase.plan(rest.as_os_str().as_bytes(), true);
    chase.run()
}

/// Where a path leads, and by which links.
#[derive(Debug)]
pub(super) struct Trace {
    pub(super) real: PathBuf,
    /// Real path of each link that was followed, in order: at most [`MAX_LINKS`], and the one that closed a loop.
    pub(super) links: Vec<PathBuf>,
}

/// Resolves `path` (absolute) and keeps the links on the way.
pub(super) fn trace(path: &Path) -> Trace {
    let mut chase = Chase { passed: Some(Vec::new()), ..Chase::at(Path::new("/")) };
    chase.plan(path.as_os_str().as_bytes(), true);
    let (resolved, links) = chase.walk();
    Trace { real: resolved.path, links: links.unwrap_or_default() }
}

/// Resolves the entry `name` of the real path `dir`, known to be a link with the text `target`.
pub(super) fn follow_link(dir: &Path, name: &OsStr, target: &OsStr) -> Resolved {
    let mut chase = Chase::at(dir);
    let mark = chase.real.len();
    lexical::append(&mut chase.real, name.as_bytes());
    match chase.step_into(mark, target.as_bytes(), true) {
        Outcome::Onward => chase.run(),
        Outcome::Loop => chase.give_up().0,
    }
}

enum Step {
    Component {
        name: Vec<u8>,
        last: bool,
    },
    /// The text of the innermost link has been walked to its end.
    LinkDone,
}

enum Outcome {
    Onward,
    Loop,
}

struct Chase {
    /// Real path so far; `""` is `/`.
    real: Vec<u8>,
    /// What is still to be walked, next step last.
    pending: Vec<Step>,
    /// Links being followed, outermost first.
    links: Vec<Vec<u8>>,
    followed: usize,
    found: Option<FinalLink>,
    through_kernel: bool,
    /// Real paths of the links that were followed, where they are asked for.
    passed: Option<Vec<PathBuf>>,
}

impl Chase {
    fn at(base: &Path) -> Self {
        let mut real = Vec::new();
        lexical::append(&mut real, base.as_os_str().as_bytes());
        let (pending, links) = (Vec::new(), Vec::new());
        Self { real, pending, links, followed: 0, found: None, through_kernel: false, passed: None }
    }

    /// Puts the components of `text` before everything that is pending.
    fn plan(&mut self, text: &[u8], asked: bool) {
        let first = self.pending.len();
        for name in text.rsplit(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
            let last = asked && self.pending.len() == first;
            self.pending.push(Step::Component { name: name.to_vec(), last });
        }
    }

    fn run(self) -> Resolved {
        self.walk().0
    }

    fn walk(mut self) -> (Resolved, Option<Vec<PathBuf>>) {
        while let Some(step) = self.pending.pop() {
            let Step::Component { name, last } = step else {
                self.links.pop();
                continue;
            };
            let mark = self.real.len();
            lexical::append(&mut self.real, &name);
            if self.real.len() <= mark {
                continue;
            }
            let Some(target) = read_link(&self.real) else { continue };
            if let Outcome::Loop = self.step_into(mark, &target, last) {
                return self.give_up();
            }
        }
        self.done(false)
    }

    /// Follows the link `real`, whose directory is the first `mark` bytes of it.
    fn step_into(&mut self, mark: usize, target: &[u8], last: bool) -> Outcome {
        if last {
            let own = lexical::into_path(self.real.clone());
            self.found = Some(FinalLink { own, target: OsString::from_vec(target.to_vec()) });
        }
        if let Some(passed) = &mut self.passed {
            passed.push(lexical::into_path(self.real.clone()));
        }
        self.through_kernel |= kernel_trees::cover(Path::new(OsStr::from_bytes(&self.real)));
        if self.followed == MAX_LINKS || self.links.contains(&self.real) {
            return Outcome::Loop;
        }
        self.followed += 1;
        self.links.push(self.real.clone());
        self.pending.push(Step::LinkDone);
        self.real.truncate(if target.first() == Some(&b'/') { 0 } else { mark });
        self.plan(target, false);
        Outcome::Onward
    }

    /// Keeps the link that closes the loop, and what was to come after it, as text.
    fn give_up(mut self) -> (Resolved, Option<Vec<PathBuf>>) {
        while let Some(step) = self.pending.pop() {
            if let Step::Component { name, .. } = step {
                lexical::append(&mut self.real, &name);
            }
        }
        self.done(true)
    }

    fn done(self, looped: bool) -> (Resolved, Option<Vec<PathBuf>>) {
        let Self { real, found, through_kernel, passed, .. } = self;
        (Resolved { path: lexical::into_path(real), link: found, looped, through_kernel }, passed)
    }
}

fn read_link(path: &[u8]) -> Option<Vec<u8>> {
    readlinkat(CWD, OsStr::from_bytes(path), Vec::new()).ok().map(std::ffi::CString::into_bytes)
}
