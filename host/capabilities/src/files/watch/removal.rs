//! Reporting what left together with its directory, children before parents.

use std::collections::{HashMap, hash_map};
use std::ffi::OsString;
use std::path::PathBuf;

use super::ChangeKind::Deleted;
use super::desk::Desk;
use super::tree::{Directory, Entry, Tree};

/// Entries on their way out. What is left of one that is dropped is not reported.
#[derive(Debug)]
pub(super) struct Removal {
    /// From the outermost directory inwards.
    frames: Vec<Frame>,
}

#[derive(Debug)]
struct Frame {
    path: PathBuf,
    entries: hash_map::IntoIter<OsString, Entry>,
    /// Whether the directory itself goes too.
    whole: bool,
}

impl Removal {
    /// Some entries of the directory `path`, and what is below them.
    pub(super) fn of_entries(path: PathBuf, entries: HashMap<OsString, Entry>) -> Self {
        Self { frames: vec![Frame { path, entries: entries.into_iter(), whole: false }] }
    }

    /// The directory `path`, taken out of the tree, with all that is below it.
    pub(super) fn of_directory(path: PathBuf, directory: Directory) -> Self {
        Self { frames: vec![Frame { path, entries: directory.entries.into_iter(), whole: true }] }
    }

    /// Goes on while the desk has room. `true` at the end.
    pub(super) fn go_on(&mut self, tree: &mut Tree, desk: &mut Desk) -> bool {
        while let Some(frame) = self.frames.last_mut() {
            if !desk.has_room() {
                return false;
            }
            match frame.entries.next() {
                Some((name, entry)) => {
                    let path = frame.path.join(name);
                    match entry.inner.and_then(|id| tree.detach(id)) {
                        Some(inner) => {
                            let entries = inner.entries.into_iter();
                            self.frames.push(Frame { path, entries, whole: true });
                        }
                        None => desk.report(Deleted, path, entry.is_dir),
                    }
                }
                None => {
                    if let Some(Frame { path, whole: true, .. }) = self.frames.pop() {
                        desk.report(Deleted, path, true);
                    }
                }
            }
        }
        true
    }
}
