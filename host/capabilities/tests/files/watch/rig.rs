//! A watch over a [`Tree`], with a model that every change must fit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use abxd_capabilities::files::{Change, ChangeKind, Notifier, Watch, WatchEnd, WatchOptions, WatchStep};
use abxd_guards::path::Access::Read;

use crate::tree::Tree;

pub(super) use abxd_capabilities::files::ChangeKind::{Created, Deleted, Modified};

/// What a test waits for at most.
const PATIENCE: Duration = Duration::from_secs(30);

/// Names of files that only mark a point in time.
const MARK: &str = ".mark-";

/// One change in short: kind, path below the watched directory, whether it is a directory.
pub(super) type Told = (ChangeKind, String, bool);

pub(super) fn told(kind: ChangeKind, path: &str, is_dir: bool) -> Told {
    (kind, path.to_owned(), is_dir)
}

pub(super) const FLAT: WatchOptions = WatchOptions {
    recursive: false,
    interval: Duration::from_millis(20),
    timeout: Duration::from_secs(60),
    notifier: Notifier::Kernel,
};

pub(super) const DEEP: WatchOptions = WatchOptions { recursive: true, ..FLAT };

pub(super) struct Rig {
    pub(super) top: PathBuf,
    watch: Watch,
    known: BTreeMap<PathBuf, bool>,
    recursive: bool,
    marks: usize,
}

impl Rig {
    /// Watches the directory `path` of `tree`.
    pub(super) async fn new(tree: &Tree, path: &str, options: WatchOptions) -> Self {
        let top = tree.at(path);
        let known = snapshot(&top, options.recursive);
        let watch = Watch::arm(tree.check(path, Read).unwrap(), options).await.unwrap();
        Self { top, watch, known, recursive: options.recursive, marks: 0 }
    }

    pub(super) async fn step(&mut self) -> WatchStep {
        let step = tokio::time::timeout(PATIENCE, self.watch.next()).await.unwrap().unwrap();
        if let WatchStep::Changes(changes) = &step {
            assert!(!changes.is_empty());
            for change in changes {
                self.fits(change);
            }
        }
        step
    }

    /// Everything that is told of what has been done so far.
    pub(super) async fn told(&mut self) -> Vec<Told> {
        let mut changes = self.up_to_mark().await;
        // By looks at intervals the first mark may be met before the rest of its round.
        changes.extend(self.up_to_mark().await);
        changes
    }

    async fn up_to_mark(&mut self) -> Vec<Told> {
        self.marks += 1;
        let mark = self.top.join(format!("{MARK}{}", self.marks));
        fs::write(&mark, "").unwrap();
        let mut all = Vec::new();
        loop {
            match self.step().await {
                WatchStep::Changes(changes) => {
                    let marked = changes.iter().any(|change| change.path == mark);
                    all.extend(changes.iter().filter(|change| !is_mark(&change.path)).map(|change| self.short(change)));
                    if marked {
                        return all;
                    }
                }
                WatchStep::End(end) => panic!("ended: {end:?}, after {all:?}"),
            }
        }
    }

    /// Everything up to the end.
    pub(super) async fn rest(&mut self) -> (Vec<Told>, WatchEnd) {
        let mut all = Vec::new();
        loop {
            match self.step().await {
                WatchStep::Changes(changes) => all.extend(changes.iter().map(|change| self.short(change))),
                WatchStep::End(end) => return (all, end),
            }
        }
    }

    fn short(&self, change: &Change) -> Told {
        let path = change.path.strip_prefix(&self.top).unwrap().to_string_lossy().into_owned();
        (change.kind, path, change.is_dir)
    }

    /// A change must fit what was told before: nothing appears twice, nothing goes that wasn't there, parents are there
    /// before their children and go after them.
    fn fits(&mut self, change: &Change) {
        let Change { kind, path, is_dir } = change;
        if *path == self.top {
            assert!(*kind == Deleted && *is_dir && self.known.is_empty(), "{change:?} with {:?}", self.known);
            return;
        }
        if is_mark(path) {
            return;
        }
        let parent = path.parent().unwrap();
        assert!(parent == self.top || self.known.get(parent) == Some(&true), "{change:?}: no parent");
        match kind {
            Created => assert_eq!(self.known.insert(path.clone(), *is_dir), None, "{change:?}: known"),
            Modified => assert_eq!(self.known.get(path), Some(is_dir), "{change:?}: unknown"),
            Deleted => {
                assert_eq!(self.known.remove(path), Some(*is_dir), "{change:?}: unknown");
                // In the order of paths children follow their parent at once.
                let next = self.known.range(path.clone()..).next();
                assert!(next.is_none_or(|(next, _)| !next.starts_with(path)), "{change:?}: has children");
            }
        }
    }

    /// What was told amounts to what is there.
    pub(super) fn assert_complete(&self) {
        let there = snapshot(&self.top, self.recursive);
        let differences = |here: &BTreeMap<PathBuf, bool>, other: &BTreeMap<PathBuf, bool>| {
            let odd = here.iter().filter(|(path, is_dir)| other.get(*path) != Some(is_dir));
            odd.map(|(path, _)| path.clone()).take(10).collect::<Vec<_>>()
        };
        let (missing, extra) = (differences(&there, &self.known), differences(&self.known, &there));
        assert!(missing.is_empty() && extra.is_empty(), "not told: {missing:?}, told and not there: {extra:?}");
    }

    /// Everything that is told until it amounts to what is there, and a little longer.
    pub(super) async fn told_until_complete(&mut self) -> Vec<Told> {
        let mut all = Vec::new();
        while self.known != snapshot(&self.top, self.recursive) {
            let WatchStep::Changes(changes) = self.step().await else { panic!("ended") };
            all.extend(changes.iter().map(|change| self.short(change)));
        }
        all.extend(self.told().await);
        self.assert_complete();
        all
    }
}

fn is_mark(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(MARK))
}

/// The entries below `top`, down to depth 5, and whether they are directories.
fn snapshot(top: &Path, recursive: bool) -> BTreeMap<PathBuf, bool> {
    let mut found = BTreeMap::new();
    let mut pending = vec![(top.to_owned(), 1)];
    while let Some((dir, depth)) = pending.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let entry = entry.unwrap();
            if is_mark(&entry.path()) {
                continue;
            }
            let is_dir = entry.file_type().unwrap().is_dir();
            if is_dir && recursive && depth < 5 {
                pending.push((entry.path(), depth + 1));
            }
            found.insert(entry.path(), is_dir);
        }
    }
    found
}
