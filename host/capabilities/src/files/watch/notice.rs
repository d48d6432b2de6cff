//! What a notice of the kernel means for what is known.
//!
//! Notices arrive late: an entry may have gone, or come back as something else, when its notice is read. So each is
//! compared with what is known, and not with what is there now; the look at the entry only serves to judge it and to take
//! its stamp. What a reading has found already is known, and its notice then says nothing new.

use std::ffi::{OsStr, OsString};

use abxd_guards::file::{Facts, Kind};

use super::ChangeKind::{Deleted, Modified};
use super::desk::{Desk, Seen};
use super::kernel::{Happening, Notice};
use super::observer::{Job, Observer};
use super::removal::Removal;
use super::stamp::Stamp;
use super::tree::{DirId, ROOT};

impl Observer {
    pub(super) fn apply(&mut self, notice: Notice, desk: &mut Desk) {
        match notice {
            Notice::Overflow => self.scan_all(),
            Notice::Left(watch) if self.tree.of_watch(watch) == Some(ROOT) => self.root_is_gone(),
            // That a directory below left, the one above tells.
            Notice::Left(_) => {}
            Notice::Unwatched(watch) => {
                if self.tree.lost(watch) == Some(ROOT) {
                    self.check_root();
                }
            }
            Notice::Entry { watch, name, is_dir, happening } => {
                let Some(id) = self.tree.of_watch(watch) else { return };
                match happening {
                    Happening::Made | Happening::MovedHere => self.appeared(id, &name, is_dir, happening, desk),
                    Happening::Unlinked | Happening::MovedAway => self.left(id, name, happening, desk),
                    Happening::Written | Happening::Touched => self.changed(id, name, happening, desk),
                }
            }
        }
    }

    fn appeared(&mut self, id: DirId, name: &OsStr, is_dir: bool, happening: Happening, desk: &mut Desk) {
        let facts = match desk.look(&mut self.tree, id, name) {
            Ok(Seen::There(facts)) => Some(facts),
            Ok(Seen::Gone) => None,
            // What was there has been replaced by something that is not to be seen.
            Ok(Seen::Hidden) => return self.remove(id, name, desk),
            Err(_) => return self.tree.distrust(id),
        };
        // Something of another kind will have a notice of its own.
        let facts = facts.filter(|facts| (facts.kind == Kind::Directory) == is_dir);
        match self.tree.entry(id, name).map(|entry| entry.is_dir) {
            None => {
                self.insert(id, name, is_dir, facts.as_ref(), desk);
                self.recent.insert((id, name.to_owned()));
            }
            Some(was_dir) if happening == Happening::MovedHere && was_dir == is_dir => {
                self.replaced(id, name, facts.as_ref(), desk);
            }
            Some(_) => {}
        }
    }

    /// Something was renamed onto a known entry of the same kind.
    fn replaced(&mut self, id: DirId, name: &OsStr, facts: Option<&Facts>, desk: &mut Desk) {
        let Some(path) = self.tree.path(id).map(|path| path.join(name)) else { return };
        let Some(entry) = self.tree.entry_mut(id, name) else { return };
        let (is_dir, inner) = (entry.is_dir, entry.inner);
        let before = std::mem::replace(&mut entry.stamp, facts.map(Stamp::of));
        let known = inner.and_then(|inner| self.tree.get(inner)).and_then(|inner| inner.file);
        let is_known = match (known, facts) {
            (Some(file), Some(facts)) => file == facts.id,
            (None, Some(facts)) => before.is_some_and(|before| before.is_same(&Stamp::of(facts))),
            (_, None) => false,
        };
        if is_known {
            return;
        }
        desk.report(Modified, path.clone(), is_dir);
        self.recent.insert((id, name.to_owned()));
        let Some(inner) = inner else { return };
        if let Some(inner) = self.tree.detach(inner) {
            self.agenda.push_back(Job::Remove(Removal::of_entries(path, inner.entries)));
        }
        self.enter(id, name);
    }

    fn left(&mut self, id: DirId, name: OsString, happening: Happening, desk: &mut Desk) {
        if self.tree.entry(id, &name).is_none() {
            return;
        }
        self.remove(id, &name, desk);
        // Two names that changed places: each left and came, but the one that came first is told as a replacement.
        if happening == Happening::MovedAway {
            self.agenda.push_back(Job::Recheck(id, name));
        }
    }

    fn changed(&mut self, id: DirId, name: OsString, happening: Happening, desk: &mut Desk) {
        let Some(entry) = self.tree.entry(id, &name) else { return };
        let is_dir = entry.is_dir;
        // Already told in this read of the queue, hence after this change.
        if self.recent.contains(&(id, name.clone())) {
            return;
        }
        let Some(path) = self.tree.path(id) else { return };
        let now = match desk.look(&mut self.tree, id, &name) {
            Ok(Seen::There(facts)) if (facts.kind == Kind::Directory) == is_dir => Some(Stamp::of(&facts)),
            Ok(Seen::Gone) if happening == Happening::Written => None,
            // Its going, or its successor's coming, will be told.
            Ok(_) => return,
            Err(_) => return self.tree.distrust(id),
        };
        let Some(entry) = self.tree.entry_mut(id, &name) else { return };
        let before = std::mem::replace(&mut entry.stamp, now);
        let is_same = matches!((before, now), (Some(before), Some(now)) if before.is_same(&now));
        if happening == Happening::Written || !is_same {
            desk.report(Modified, path.join(&name), is_dir);
            self.recent.insert((id, name));
        }
    }

    /// Takes an entry out and reports it as gone, with what is below it.
    pub(super) fn remove(&mut self, id: DirId, name: &OsStr, desk: &mut Desk) {
        let Some(path) = self.tree.path(id).map(|path| path.join(name)) else { return };
        let Some(entry) = self.tree.get_mut(id).and_then(|directory| directory.entries.remove(name)) else { return };
        self.recent.remove(&(id, name.to_owned()));
        match entry.inner.and_then(|inner| self.tree.detach(inner)) {
            Some(inner) => self.agenda.push_back(Job::Remove(Removal::of_directory(path, inner))),
            None => desk.report(Deleted, path, entry.is_dir),
        }
    }
}
