//! Reading a directory and comparing it with what is known of it: when it is armed, when it appears, after an overflow,
//! and at intervals where the kernel can't tell.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::fd::AsFd;

use abxd_guards::file::{Facts, Kind, Trail};

use super::ChangeKind::{Created, Modified};
use super::desk::{Desk, Seen};
use super::handles::{Handles, Unopened};
use super::observer::{Job, Observer};
use super::remote::is_remote;
use super::removal::Removal;
use super::stamp::Stamp;
use super::tree::{DirId, Entry, ROOT};

/// Depth of the deepest entries that are reported; direct children have 1 (`contract: file_ops §11`).
const MAX_DEPTH: usize = 5;

/// A directory that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    id: DirId,
    trail: Trail,
}

impl Observer {
    /// Begins to read a directory, which is watched from then on at the latest.
    pub(super) fn begin_reading(&mut self, id: DirId, desk: &mut Desk) -> Option<Job> {
        let opened = desk.handles.get(&mut self.tree, id).and_then(|dir| Ok((Handles::reader(&dir)?, dir)));
        let (reader, dir) = match opened {
            Ok(opened) => opened,
            Err(Unopened::Gone) => {
                self.is_elsewhere(id);
                return None;
            }
            // It stays among those that are looked at at intervals.
            Err(Unopened::Closed | Unopened::Short) => {
                self.tree.distrust(id);
                return None;
            }
        };
        let path = self.tree.path(id)?;
        let directory = self.tree.get_mut(id)?;
        directory.round += 1;
        if directory.watch.is_none()
            && let Some(kernel) = &self.kernel
            && let Ok(watch) = kernel.watch(dir.as_fd())
        {
            self.tree.watched(id, watch);
        }
        let is_watched = self.tree.get(id).is_some_and(|directory| directory.watch.is_some());
        if is_watched && !is_remote(&*dir) {
            self.tree.trust(id);
        } else {
            self.tree.distrust(id);
        }
        Some(Job::Read(Reading { id, trail: Trail::new(reader, path) }))
    }

    /// Goes on while the desk has room. What comes back is to be continued.
    pub(super) fn read_on(&mut self, mut reading: Reading, desk: &mut Desk) -> Option<Job> {
        self.tree.get(reading.id)?;
        while desk.has_room() {
            match reading.trail.next_entry() {
                Ok(Some(entry)) => self.meet(&reading, &entry.name, desk),
                Ok(None) => {
                    self.sweep(&reading);
                    return None;
                }
                // Removed meanwhile, which is told by the one above; or broken, and looked at again later.
                Err(_) => {
                    self.tree.distrust(reading.id);
                    return None;
                }
            }
        }
        Some(Job::Read(reading))
    }

    /// Compares one entry.
    fn meet(&mut self, reading: &Reading, name: &OsStr, desk: &mut Desk) {
        let id = reading.id;
        let Seen::There(facts) = desk.look_in(reading.trail.dir(), reading.trail.path(), name) else { return };
        let is_dir = facts.kind == Kind::Directory;
        let enters = is_dir && self.enters(id);
        let Some(directory) = self.tree.get_mut(id) else { return };
        let round = directory.round;
        let Some(entry) = directory.entries.get_mut(name) else {
            self.insert(id, name, is_dir, Some(&facts), desk);
            return;
        };
        let inner = entry.inner;
        entry.round = round;
        let was_dir = entry.is_dir;
        let stamp = Stamp::of(&facts);
        let differs = entry.stamp.replace(stamp).is_none_or(|known| known.may_differ(&stamp));
        let known_file = inner.and_then(|inner| self.tree.get(inner)).and_then(|inner| inner.file);
        if was_dir != is_dir || known_file.is_some_and(|file| file != facts.id) {
            self.remove(id, name, desk);
            self.agenda.push_back(Job::Recheck(id, name.to_owned()));
            return;
        }
        if differs {
            desk.report(Modified, reading.trail.path().join(name), is_dir);
        }
        if enters && inner.is_none() {
            self.enter(id, name);
        }
    }

    /// A new entry. `facts`: what it is, if it is still there.
    pub(super) fn insert(&mut self, id: DirId, name: &OsStr, is_dir: bool, facts: Option<&Facts>, desk: &mut Desk) {
        let Some(path) = self.tree.path(id) else { return };
        let Some(directory) = self.tree.get_mut(id) else { return };
        let entry = Entry { is_dir, stamp: facts.map(Stamp::of), inner: None, round: directory.round };
        directory.entries.insert(name.to_owned(), entry);
        desk.report(Created, path.join(name), is_dir);
        if is_dir && self.enters(id) {
            self.enter(id, name);
        }
    }

    /// Whether directories in the directory `id` are entered.
    pub(super) fn enters(&self, id: DirId) -> bool {
        self.recursive && self.tree.get(id).is_some_and(|directory| directory.depth + 1 < MAX_DEPTH)
    }

    /// Plans to watch and read the known entry `name`, a directory.
    pub(super) fn enter(&mut self, id: DirId, name: &OsStr) {
        let Some(inner) = self.tree.add(id, name) else { return };
        if let Some(entry) = self.tree.entry_mut(id, name) {
            entry.inner = Some(inner);
        }
        self.agenda.push_back(Job::Scan(inner));
    }

    /// Reports those as gone that a whole reading did not meet.
    fn sweep(&mut self, reading: &Reading) {
        let Some(directory) = self.tree.get_mut(reading.id) else { return };
        let round = directory.round;
        let gone = directory.entries.extract_if(|_, entry| entry.round != round).collect::<HashMap<_, _>>();
        if !gone.is_empty() {
            self.agenda.push_back(Job::Remove(Removal::of_entries(reading.trail.path().to_owned(), gone)));
        }
    }

    /// A directory was not found where it should be.
    fn is_elsewhere(&mut self, id: DirId) {
        let Some(directory) = self.tree.get(id) else { return };
        let (above, name, is_new) = (directory.parent, directory.name.clone(), directory.file.is_none());
        match above {
            None => self.check_root(),
            Some(above) if is_new => {
                // It went before it was entered; the one above tells of that.
                self.tree.detach(id);
                if let Some(entry) = self.tree.entry_mut(above, &name) {
                    entry.inner = None;
                }
            }
            Some(above) if !self.agenda.iter().any(|job| matches!(job, Job::Scan(planned) if *planned == above)) => {
                self.agenda.push_back(Job::Scan(above));
            }
            Some(_) => {}
        }
    }

    /// Ends the watch if the root isn't where it was.
    pub(super) fn check_root(&mut self) {
        let known = self.tree.get(ROOT).and_then(|root| root.file);
        let there = match self.path.facts() {
            Ok(facts) => facts.kind == Kind::Directory && Some(facts.id) == known,
            Err(failure) => Unopened::from(failure) != Unopened::Gone,
        };
        if !there {
            self.root_is_gone();
        }
    }

    /// Looks again at a name that something was renamed from, or that stood for something else.
    pub(super) fn recheck(&mut self, id: DirId, name: &OsStr, desk: &mut Desk) {
        if let Ok(Seen::There(facts)) = desk.look(&mut self.tree, id, name)
            && self.tree.entry(id, name).is_none()
        {
            self.insert(id, name, facts.kind == Kind::Directory, Some(&facts), desk);
        }
    }
}
