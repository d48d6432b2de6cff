//! Moving files and trees.

use std::path::Path;

use abxd_guards::file::{Facts, Kind};
use abxd_guards::path::{Access, OwnPath, Parent, PathDenial};
use rustix::fs::{AtFlags, RenameFlags, renameat, renameat_with, unlinkat};
use rustix::io::Errno;

use super::failure::{FileFailure, is_absent};
use super::relocate::relocate;
use super::settle::settle;

/// How often a move starts over when the destination changes at the same moment.
const ATTEMPTS: usize = 8;

/// What is moved: found, and free to go.
pub(super) struct Origin {
    pub(super) parent: Parent,
    pub(super) facts: Facts,
}

/// Where it goes.
pub(super) struct Landing {
    pub(super) parent: Parent,
    pub(super) occupant: Occupant,
}

/// What is at the landing place and will be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occupant {
    Nothing,
    /// A file, or anything else that is neither a directory nor a link.
    File,
    /// The same file as the one moved, under another name.
    Twin,
    /// A link; its target is left alone.
    Link,
}

/// Moves `source` to `destination`, or into it when that is a directory or a link to one (`contract: file_ops §6`). Links
/// move, and are replaced, as links. Files are replaced silently, directories never. Parents of the destination are
/// made and stay.
///
/// # Errors
/// [`FileFailure::Missing`] for the source; [`FileFailure::Denied`] for a source that must stay or a place that the
/// guard refuses; [`FileFailure::IntoItself`], [`FileFailure::InnerTaken`]; [`FileFailure::Os`]: `EEXIST` for a
/// directory onto a file or when the destination's parent is a file, `ENOTDIR` when one further up is, `EACCES`, ….
pub fn rename(source: &OwnPath, destination: &OwnPath) -> Result<(), FileFailure> {
    let origin = find(source)?;
    if source.path() == destination.path() {
        return Ok(());
    }
    for _ in 0..ATTEMPTS {
        let Some(landing) = settle(|| land(source, &origin, destination))? else { continue };
        match carry(&origin, &landing) {
            // Something appeared, or became a directory, meanwhile: look again.
            Err(FileFailure::Os(Errno::EXIST | Errno::ISDIR | Errno::NOTEMPTY)) => {}
            Err(FileFailure::Os(Errno::XDEV)) => return relocate(&origin, &landing),
            Err(FileFailure::Os(Errno::INVAL)) => return Err(FileFailure::IntoItself),
            Err(FileFailure::Os(Errno::NOENT)) if origin.parent.facts().is_err() => return Err(FileFailure::Missing),
            // The directory that it goes to is gone.
            Err(FileFailure::Os(Errno::NOENT)) => {}
            Err(FileFailure::Os(Errno::NOTDIR)) => return Err(FileFailure::Os(Errno::EXIST)),
            done => return done,
        }
    }
    Err(FileFailure::Os(Errno::EXIST))
}

pub(super) fn find(source: &OwnPath) -> Result<Origin, FileFailure> {
    if source.path().parent().is_none() {
        return Err(PathDenial::Denied.into());
    }
    let parent = source.parent().map_err(FileFailure::of_look_up)?;
    let facts = parent.facts().map_err(|errno| FileFailure::of_look_up(errno.into()))?;
    source.protect_tree(&parent, &facts)?;
    if facts.kind == Kind::File {
        source.target().admit_file(&facts)?;
    }
    Ok(Origin { parent, facts })
}

/// Where the source would go as things stand; `None` when a directory has come into being there meanwhile.
pub(super) fn land(source: &OwnPath, origin: &Origin, destination: &OwnPath) -> Result<Option<Landing>, FileFailure> {
    let directory = origin.facts.kind == Kind::Directory;
    let refuse_inside = |place: &Path| {
        if directory && place.starts_with(source.path()) { Err(FileFailure::IntoItself) } else { Ok(()) }
    };
    if leads_to_directory(destination)? {
        let inner = destination.target().child(origin.parent.name(), Access::Write)?;
        refuse_inside(destination.target().real())?;
        if inner.link_target().is_some() {
            return Err(FileFailure::InnerTaken);
        }
        let parent = inner.parent().map_err(FileFailure::of_parent)?;
        return match parent.facts() {
            Ok(_) => Err(FileFailure::InnerTaken),
            Err(Errno::NOENT) => {
                inner.admit_arrival()?;
                Ok(Some(Landing { parent, occupant: Occupant::Nothing }))
            }
            Err(errno) => Err(errno.into()),
        };
    }
    refuse_inside(destination.path())?;
    let parent = destination.parent_made().map_err(FileFailure::of_parent)?;
    let occupant = match parent.facts() {
        Err(Errno::NOENT) => {
            destination.target().admit_arrival()?;
            Occupant::Nothing
        }
        Err(errno) => return Err(errno.into()),
        Ok(facts) if facts.kind == Kind::Link => Occupant::Link,
        Ok(facts) if facts.kind == Kind::Directory => return Ok(None),
        Ok(_) if directory => return Err(FileFailure::Os(Errno::EXIST)),
        Ok(facts) if facts.id == origin.facts.id && facts.links > 1 => Occupant::Twin,
        Ok(_) => Occupant::File,
    };
    Ok(Some(Landing { parent, occupant }))
}

/// Whether the destination is a directory or a link to one.
fn leads_to_directory(destination: &OwnPath) -> Result<bool, FileFailure> {
    if destination.target().is_loop() {
        return Ok(false);
    }
    match destination.target().facts() {
        Ok(facts) => Ok(facts.kind == Kind::Directory),
        Err(failure) if is_absent(&failure) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
}

fn carry(origin: &Origin, landing: &Landing) -> Result<(), FileFailure> {
    let (from, to) = (&origin.parent, &landing.parent);
    match landing.occupant {
        Occupant::Nothing => place_new(from, to)?,
        Occupant::Link if origin.facts.kind == Kind::Directory => replace_link(from, to)?,
        Occupant::File | Occupant::Link => renameat(from.dir(), from.name(), to.dir(), to.name())?,
        // The kernel would do nothing and leave both names.
        Occupant::Twin => unlinkat(from.dir(), from.name(), AtFlags::empty())?,
    }
    Ok(())
}

/// A directory can't be renamed over a link: they change places, and the link goes.
fn replace_link(from: &Parent, to: &Parent) -> Result<(), Errno> {
    match renameat_with(from.dir(), from.name(), to.dir(), to.name(), RenameFlags::EXCHANGE) {
        Ok(()) => {}
        // The file system can't: the link goes first.
        Err(Errno::INVAL | Errno::NOSYS) => {
            unlinkat(to.dir(), to.name(), AtFlags::empty())?;
            return place_new(from, to);
        }
        Err(errno) => return Err(errno),
    }
    unlinkat(from.dir(), from.name(), AtFlags::empty()).inspect_err(|_| {
        // It may not be removed from there: back to how it was. The failure is what gets reported.
        let _ = renameat_with(from.dir(), from.name(), to.dir(), to.name(), RenameFlags::EXCHANGE);
    })
}

/// Renames without replacing anything.
fn place_new(from: &Parent, to: &Parent) -> Result<(), Errno> {
    match renameat_with(from.dir(), from.name(), to.dir(), to.name(), RenameFlags::NOREPLACE) {
        // The file system can't, or a directory would go into itself: the plain call tells which.
        Err(Errno::INVAL | Errno::NOSYS) => renameat(from.dir(), from.name(), to.dir(), to.name()),
        done => done,
    }
}
