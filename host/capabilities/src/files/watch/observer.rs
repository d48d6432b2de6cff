//! What a watch does in its turns: the jobs that are planned, then the notices that were read, one after the other.
//!
//! An [`Observer`] is owned by its [`super::Watch`], which hands it to a blocking thread for each turn and takes it back.
//! Nothing in it waits. Jobs go first, so that a notice always meets a tree that is whole.

use std::collections::{HashSet, VecDeque};
use std::ffi::OsString;
use std::sync::Arc;

use abxd_guards::file::Kind;
use abxd_guards::path::CheckedPath;

use super::desk::Desk;
use super::kernel::{Kernel, Notice};
use super::removal::Removal;
use super::scan::Reading;
use super::tree::{DirId, ROOT, Tree};
use super::{Change, WatchOptions};
use crate::files::failure::FileFailure;

/// Something to be done before the next notice.
#[derive(Debug)]
pub(super) enum Job {
    /// Watch and read a directory.
    Scan(DirId),
    /// Go on reading one.
    Read(Reading),
    /// Report what has left.
    Remove(Removal),
    /// Look whether something stands under the name.
    Recheck(DirId, OsString),
}

/// What a turn is for.
#[derive(Debug)]
pub(super) enum Errand {
    /// Go on.
    Continue,
    /// Take these in.
    Hear(Vec<Notice>),
    /// Look at what the kernel can't tell, and whether the root is still there.
    Patrol,
    /// The kernel tells nothing any more.
    Deaf,
}

/// How far a turn came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// There is nothing left to do.
    Idle,
    /// There is.
    More,
    /// The root has gone, and all is said.
    Gone,
}

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) changes: Vec<Change>,
    pub(super) rest: Rest,
}

#[derive(Debug)]
pub(super) struct Observer {
    pub(super) path: Arc<CheckedPath>,
    pub(super) recursive: bool,
    pub(super) kernel: Option<Arc<Kernel>>,
    pub(super) tree: Tree,
    pub(super) agenda: VecDeque<Job>,
    notices: VecDeque<Notice>,
    /// Entries that were reported since the queue was last read.
    pub(super) recent: HashSet<(DirId, OsString)>,
    /// Whether the tree is known, so that changes are changes.
    armed: bool,
    gone: bool,
}

impl Observer {
    /// An observer that knows nothing yet: its turns learn the tree, until [`Observer::arm`].
    ///
    /// # Errors
    /// [`FileFailure::Missing`] and [`FileFailure::NotADirectory`], [`FileFailure::Denied`], [`FileFailure::Os`].
    pub(super) fn new(
        path: CheckedPath,
        options: &WatchOptions,
        kernel: Option<Arc<Kernel>>,
    ) -> Result<Self, FileFailure> {
        if path.is_loop() {
            return Err(FileFailure::Missing);
        }
        let facts = path.facts().map_err(FileFailure::of_look_up)?;
        if facts.kind != Kind::Directory {
            return Err(FileFailure::NotADirectory);
        }
        Ok(Self {
            tree: Tree::new(path.real().to_owned(), facts.id),
            path: Arc::new(path),
            recursive: options.recursive,
            kernel,
            agenda: [Job::Scan(ROOT)].into(),
            notices: VecDeque::new(),
            recent: HashSet::new(),
            armed: false,
            gone: false,
        })
    }

    /// From here on changes are reported.
    pub(super) fn arm(&mut self) {
        self.armed = true;
    }

    /// Whether there are directories that must be looked at at intervals.
    pub(super) fn needs_looks(&self) -> bool {
        self.tree.has_unsure()
    }

    /// Works until there is nothing left to do or the turn has lasted long enough. Blocks.
    pub(super) fn turn(&mut self, errand: Errand) -> Turn {
        match errand {
            Errand::Continue => {}
            Errand::Hear(notices) => {
                self.recent.clear();
                self.notices.extend(notices);
            }
            Errand::Patrol => self.patrol(),
            Errand::Deaf => {
                self.kernel = None;
                self.tree.all_lost();
            }
        }
        let mut desk = Desk::new(&self.path, !self.armed);
        let rest = loop {
            if !desk.has_room() {
                break Rest::More;
            }
            if let Some(job) = self.agenda.pop_front() {
                if let Some(unfinished) = self.work(job, &mut desk) {
                    self.agenda.push_front(unfinished);
                }
            } else if self.gone {
                break Rest::Gone;
            } else if let Some(notice) = self.notices.pop_front() {
                self.apply(notice, &mut desk);
            } else {
                break Rest::Idle;
            }
        };
        Turn { changes: desk.into_changes(), rest }
    }

    fn work(&mut self, job: Job, desk: &mut Desk) -> Option<Job> {
        match job {
            Job::Scan(id) => self.begin_reading(id, desk),
            Job::Read(reading) => self.read_on(reading, desk),
            Job::Remove(mut removal) => {
                let ended = removal.go_on(&mut self.tree, desk);
                (!ended).then_some(Job::Remove(removal))
            }
            Job::Recheck(id, name) => {
                self.recheck(id, &name, desk);
                None
            }
        }
    }

    fn patrol(&mut self) {
        if let Some(kernel) = &self.kernel {
            for watch in self.tree.take_orphans() {
                kernel.unwatch(watch);
            }
        }
        self.check_root();
        if !self.gone {
            self.agenda.extend(self.tree.unsure().map(Job::Scan));
        }
    }

    /// Plans to read everything again.
    pub(super) fn scan_all(&mut self) {
        self.agenda.extend(self.tree.all().into_iter().map(Job::Scan));
    }

    /// The root was removed or moved away: what is known goes, then the root itself.
    pub(super) fn root_is_gone(&mut self) {
        self.gone = true;
        self.notices.clear();
        self.agenda.clear();
        let path = self.path.real().to_owned();
        self.agenda.extend(self.tree.detach(ROOT).map(|root| Job::Remove(Removal::of_directory(path, root))));
    }
}
