//! Watching a directory (`contract: file_ops §11`, decision D25).
//!
//! A [`Watch`] is one watch from its arming to its end. It owns all there is of it: the kernel's inotify descriptor, what
//! is known of the tree, the timers. It has no task and no thread: it works only while its owner waits in
//! [`Watch::next`], and ends when it is dropped. What may block is done in short turns on the runtime's blocking threads; a
//! turn that is under way when the watch is dropped comes to its end by itself and takes the rest along.
//!
//! Memory: name, kind and stamp of every permitted entry down to depth 5, one read of the kernel's notices (64 KiB), the
//! changes of one turn. Nobody queues changes for a slow client: they wait in the kernel's queue, and when that overflows
//! the tree is read again and the differences are reported.
//!
//! Why nothing is missed: a directory is watched *before* it is read, so what happens in it is either read or told, or
//! both; what is told twice is recognised by what is known. Why nothing is watched that was not judged: a watch is put on
//! an open descriptor, and directories are only opened by name below the checked root, no link followed.
//!
//! | file | what it holds |
//! |---|---|
//! | `live` | [`Watch`]: waiting, timers, turns |
//! | `observer` | one turn: jobs, then notices |
//! | `notice` | what a notice of the kernel means for what is known |
//! | `scan` | reading a directory and comparing it with what is known |
//! | `removal` | reporting what left with its directory |
//! | `tree`, `stamp` | what is known |
//! | `desk`, `handles` | the tools of one turn: judge, open directories, changes found |
//! | `kernel`, `remote` | inotify, and where it is not told everything |

mod desk;
mod handles;
mod kernel;
mod live;
mod notice;
mod observer;
mod remote;
mod removal;
mod scan;
mod stamp;
mod tree;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::failure::FileFailure;

pub use live::Watch;

/// How a directory is watched.
#[derive(Clone, Copy, Debug)]
pub struct WatchOptions {
    /// Whether directories below are watched too.
    pub recursive: bool,
    /// Time between two looks where the kernel can't tell of changes.
    pub interval: Duration,
    /// Time from the arming to the end.
    pub timeout: Duration,
    /// How changes are learnt.
    pub notifier: Notifier,
}

/// How changes are learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notifier {
    /// The kernel tells; looks at intervals only where it can't.
    #[default]
    Kernel,
    /// By looks at intervals alone.
    Interval,
}

/// What happened to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It appeared.
    Created,
    /// Its content or modification time changed.
    Modified,
    /// It went.
    Deleted,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Absolute: the real path of the watched directory and the way down from it.
    pub path: PathBuf,
    /// Whether it is, or was, a real directory.
    pub is_dir: bool,
}

/// Why a watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchEnd {
    /// Its time was up.
    Timeout,
    /// The watched directory was removed or moved away.
    Deleted,
}

/// What a watch has to say next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchStep {
    /// Changes in order, at least one.
    Changes(Vec<Change>),
    /// The last word.
    End(WatchEnd),
}

/// Why a watch could not begin or go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WatchFailure {
    /// The directory can't be watched.
    #[error(transparent)]
    File(#[from] FileFailure),
    /// A turn of its work was broken off, by a defect or because the runtime ends.
    #[error("the watch was broken off")]
    Interrupted,
}
