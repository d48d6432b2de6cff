//! What a watch knows: directories, their entries, and which of them the kernel watches.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use abxd_guards::file::FileId;

use super::kernel::WatchId;
use super::stamp::Stamp;

/// A known directory. Numbers are not used again, so one that is kept too long finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct DirId(u64);

/// The watched directory itself.
pub(super) const ROOT: DirId = DirId(0);

#[derive(Debug)]
pub(super) struct Directory {
    /// `None`: the root.
    pub(super) parent: Option<DirId>,
    pub(super) name: OsString,
    /// 0 is the root's.
    pub(super) depth: usize,
    /// Which directory it is; `None` until it was opened.
    pub(super) file: Option<FileId>,
    pub(super) watch: Option<WatchId>,
    /// Number of the latest reading.
    pub(super) round: u32,
    pub(super) entries: HashMap<OsString, Entry>,
}

/// A permitted entry.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) is_dir: bool,
    /// `None`: it was gone before it could be looked at.
    pub(super) stamp: Option<Stamp>,
    /// Set where the watch goes into it.
    pub(super) inner: Option<DirId>,
    /// The latest reading of its directory that met it.
    pub(super) round: u32,
}

#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    directories: HashMap<DirId, Directory>,
    next: u64,
    watches: HashMap<WatchId, DirId>,
    /// Watches of directories that left the tree. A directory that was only moved comes back to its own.
    orphans: HashSet<WatchId>,
    /// Directories that must be looked at at intervals.
    unsure: BTreeSet<DirId>,
}

impl Tree {
    pub(super) fn new(root: PathBuf, file: FileId) -> Self {
        let mut tree = Self {
            root,
            directories: HashMap::new(),
            next: 0,
            watches: HashMap::new(),
            orphans: HashSet::new(),
            unsure: BTreeSet::new(),
        };
        tree.put(None, OsString::new(), 0, Some(file));
        tree
    }

    fn put(&mut self, parent: Option<DirId>, name: OsString, depth: usize, file: Option<FileId>) -> DirId {
        let id = DirId(self.next);
        self.next += 1;
        let entries = HashMap::new();
        self.directories.insert(id, Directory { parent, name, depth, file, watch: None, round: 0, entries });
        self.unsure.insert(id);
        id
    }

    /// Adds a directory, not watched yet. `None` when the one above has gone.
    pub(super) fn add(&mut self, above: DirId, name: &OsStr) -> Option<DirId> {
        let depth = self.get(above)?.depth + 1;
        Some(self.put(Some(above), name.to_owned(), depth, None))
    }

    pub(super) fn get(&self, id: DirId) -> Option<&Directory> {
        self.directories.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: DirId) -> Option<&mut Directory> {
        self.directories.get_mut(&id)
    }

    pub(super) fn entry(&self, id: DirId, name: &OsStr) -> Option<&Entry> {
        self.get(id)?.entries.get(name)
    }

    pub(super) fn entry_mut(&mut self, id: DirId, name: &OsStr) -> Option<&mut Entry> {
        self.get_mut(id)?.entries.get_mut(name)
    }

    /// The path of a directory that is still part of the tree, with all those above it.
    pub(super) fn path(&self, id: DirId) -> Option<PathBuf> {
        let directory = self.get(id)?;
        Some(match directory.parent {
            None => self.root.clone(),
            Some(above) => self.path(above)?.join(&directory.name),
        })
    }

    /// Takes a directory out, its watch with it. Those below stay, to be taken out one by one.
    pub(super) fn detach(&mut self, id: DirId) -> Option<Directory> {
        let directory = self.directories.remove(&id)?;
        self.unsure.remove(&id);
        if let Some(watch) = directory.watch
            && self.watches.get(&watch) == Some(&id)
        {
            self.watches.remove(&watch);
            self.orphans.insert(watch);
        }
        Some(directory)
    }

    /// The directory is watched. Where the same directory is known under another name (moved, which will be told later,
    /// or mounted twice) that one has to do with looks.
    pub(super) fn watched(&mut self, id: DirId, watch: WatchId) {
        let Some(directory) = self.directories.get_mut(&id) else { return };
        directory.watch = Some(watch);
        self.orphans.remove(&watch);
        if let Some(other) = self.watches.insert(watch, id).filter(|other| *other != id) {
            self.unwatched(other);
        }
    }

    /// The kernel gave the watch up. Answers whose it was.
    pub(super) fn lost(&mut self, watch: WatchId) -> Option<DirId> {
        self.orphans.remove(&watch);
        let id = self.watches.remove(&watch)?;
        self.unwatched(id);
        Some(id)
    }

    fn unwatched(&mut self, id: DirId) {
        if let Some(directory) = self.directories.get_mut(&id) {
            directory.watch = None;
            self.unsure.insert(id);
        }
    }

    /// No watch is worth anything any more.
    pub(super) fn all_lost(&mut self) {
        self.watches.clear();
        self.orphans.clear();
        for (id, directory) in &mut self.directories {
            directory.watch = None;
            self.unsure.insert(*id);
        }
    }

    /// What the kernel tells of the directory is not enough: it must be looked at at intervals.
    pub(super) fn distrust(&mut self, id: DirId) {
        self.unsure.insert(id);
    }

    /// What the kernel tells of the directory is enough.
    pub(super) fn trust(&mut self, id: DirId) {
        self.unsure.remove(&id);
    }

    pub(super) fn of_watch(&self, watch: WatchId) -> Option<DirId> {
        self.watches.get(&watch).copied()
    }

    /// Watches that nothing belongs to.
    pub(super) fn take_orphans(&mut self) -> HashSet<WatchId> {
        std::mem::take(&mut self.orphans)
    }

    pub(super) fn has_unsure(&self) -> bool {
        !self.unsure.is_empty()
    }

    /// Directories to look at at intervals. Numbers grow downwards, so those above come first.
    pub(super) fn unsure(&self) -> impl Iterator<Item = DirId> {
        self.unsure.iter().copied()
    }

    /// All directories, those above first.
    pub(super) fn all(&self) -> Vec<DirId> {
        let mut all: Vec<_> = self.directories.keys().copied().collect();
        all.sort_unstable();
        all
    }
}
