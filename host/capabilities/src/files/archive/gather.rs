//! Walking over what is to be packed.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use abxd_guards::file::{Entry, Facts, Kind, Trail};
use abxd_guards::path::{CheckedPath, OpenFailure, Walk};
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use super::member::{Format, Member, Node};
use super::{Archive, ArchiveFailure, ArchiveOptions, check};
use crate::Cancel;
use crate::files::failure::FileFailure;
use crate::files::open::open;
use crate::files::temporary::is_temporary;
use crate::files::top::{open_top, passable};

/// What is asked of an open that must not wait, nor follow a link.
const CAREFUL: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The walk over all arguments. Counting goes on after packing has failed: too many files are refused whatever else is
/// wrong.
pub(super) struct Gathering<'g, F> {
    packed: Result<F, ArchiveFailure>,
    /// Files so far.
    counted: u64,
    most: u64,
    cancel: &'g Cancel,
}

impl<'g, F: Format> Gathering<'g, F> {
    pub(super) fn new(format: Result<F, ArchiveFailure>, options: &ArchiveOptions, cancel: &'g Cancel) -> Self {
        Self { packed: format, counted: 0, most: options.max_files, cancel }
    }

    /// Packs what is under the paths.
    pub(super) fn run(mut self, paths: &[CheckedPath]) -> Result<Archive, ArchiveFailure> {
        for path in paths {
            check(self.cancel)?;
            match open(path) {
                Err(FileFailure::NotAFile) => self.tree(path)?,
                // It has vanished since it was found to be there.
                Err(FileFailure::Missing) => {}
                opened => {
                    self.take(base(path), || Ok(Some(opened.map(|opened| Member::File(opened.file, opened.facts))?)))?
                }
            }
        }
        self.packed?.finish()
    }

    /// What is below the path, if it is a directory.
    fn tree(&mut self, path: &CheckedPath) -> Result<(), ArchiveFailure> {
        let top = match open_top(path) {
            Ok(Some(top)) => top,
            Ok(None) | Err(FileFailure::Missing | FileFailure::NotADirectory) => return Ok(()),
            Err(failure) => return Err(failure.into()),
        };
        let mut walk = path.walk();
        let mut trail = Trail::new(top, path.real().to_owned());
        loop {
            check(self.cancel)?;
            let Some(entry) = passable(trail.next_entry())?.flatten() else {
                if trail.leave()? { continue } else { return Ok(()) }
            };
            if is_temporary(&entry.name) {
                continue;
            }
            let kind = entry.kind.or_else(|| Facts::at(trail.dir(), &entry.name).ok().map(|facts| facts.kind));
            match kind {
                None => {}
                Some(Kind::Directory) if walk.admits(trail.path(), &entry.name, None) => {
                    passable(trail.enter(&entry.name))?;
                }
                Some(Kind::Directory) => {}
                Some(kind) => self.entry(path, &mut walk, &trail, &entry, kind)?,
            }
        }
    }

    /// Takes an entry that is no directory.
    fn entry(
        &mut self,
        top: &CheckedPath,
        walk: &mut Walk,
        trail: &Trail,
        entry: &Entry,
        kind: Kind,
    ) -> Result<(), ArchiveFailure> {
        let name = member_name(top, trail, &entry.name);
        if kind == Kind::Link {
            let Some(text) = trail.link_text(entry) else { return Ok(()) };
            let Ok(target) = walk.follow(trail.path(), &entry.name, &text) else { return Ok(()) };
            return self.take(&name, || link(trail, entry, text.into_vec(), target));
        }
        if !walk.admits(trail.path(), &entry.name, None) {
            return Ok(());
        }
        self.take(&name, || match kind {
            Kind::File => file_in(top, trail, &entry.name),
            _ => Ok(Node::at(trail.dir(), &entry.name).map(|(node, facts)| Member::Node(node, facts))),
        })
    }

    /// Counts one, and packs what `open` yields unless packing has failed before.
    fn take(
        &mut self,
        name: &[u8],
        open: impl FnOnce() -> Result<Option<Member>, ArchiveFailure>,
    ) -> Result<(), ArchiveFailure> {
        self.counted += 1;
        if self.counted > self.most {
            return Err(ArchiveFailure::TooMany(self.most));
        }
        let Ok(format) = &mut self.packed else { return Ok(()) };
        let added = open().and_then(|member| member.map_or(Ok(()), |member| format.add(name, member)));
        match added {
            Err(ArchiveFailure::Cancelled) => Err(ArchiveFailure::Cancelled),
            Err(failure) => {
                self.packed = Err(failure);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

/// What members below the path are named after; empty for the root of everything.
fn base(path: &CheckedPath) -> &[u8] {
    path.real().file_name().unwrap_or_default().as_bytes()
}

fn member_name(top: &CheckedPath, trail: &Trail, name: &OsStr) -> Vec<u8> {
    let below = trail.path().strip_prefix(top.real()).unwrap_or(trail.path()).as_os_str();
    let mut whole = Vec::new();
    for part in [base(top), below.as_bytes(), name.as_bytes()] {
        if !whole.is_empty() && !part.is_empty() {
            whole.push(b'/');
        }
        whole.extend_from_slice(part);
    }
    whole
}

/// A file in a tree.
fn file_in(top: &CheckedPath, trail: &Trail, name: &OsStr) -> Result<Option<Member>, ArchiveFailure> {
    let opened = match openat(trail.dir(), name, CAREFUL, Mode::empty()) {
        Ok(opened) => opened,
        // Vanished, or something else stands there by now.
        Err(Errno::NOENT | Errno::LOOP | Errno::NXIO) => return Ok(None),
        Err(errno) => return Err(errno.into()),
    };
    let facts = Facts::of(&opened)?;
    match top.admit_file(&facts) {
        Ok(()) => Ok(Some(Member::File(File::from(opened), facts))),
        Err(OpenFailure::Os(errno)) => Err(errno.into()),
        Err(_) => Ok(None),
    }
}

/// A link in a tree that the guard lets through; nothing when it leads to a directory.
fn link(trail: &Trail, entry: &Entry, text: Vec<u8>, target: CheckedPath) -> Result<Option<Member>, ArchiveFailure> {
    if !target.is_loop() && target.facts().is_ok_and(|facts| facts.kind == Kind::Directory) {
        return Ok(None);
    }
    match Facts::at(trail.dir(), &entry.name) {
        Ok(facts) if facts.kind == Kind::Link => Ok(Some(Member::Link { facts, text, target })),
        Ok(_) | Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}
