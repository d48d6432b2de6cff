//! Saving a file whole (`contract: file_ops §8`, D22 of the decisions).
//!
//! [`SaveTarget::prepare`] does what can be refused before the content is there; [`Saving`] takes the content into a
//! file that nobody sees; [`Saving::commit`] puts it in place in one step. A `Saving` that is dropped leaves nothing.

use std::fs::File;
use std::path::Path;

use abxd_guards::file::{Facts, Kind};
use abxd_guards::path::{CheckedPath, Parent, PathDenial};
use rustix::fs::{Access, AtFlags, OFlags, accessat};
use rustix::io::Errno;

use super::attributes::take_over;
use super::failure::FileFailure;
use super::settle::{in_place, settle};
use super::spool::Spool;

/// How often a commit starts over when the target appears or goes at the same moment. Each takes microseconds, and
/// whoever keeps on doing that should not get an error made of it.
const ATTEMPTS: usize = 64;

/// How a file is saved.
#[derive(Clone, Copy, Debug)]
pub struct SaveOptions {
    /// Whether an existing file may be replaced. If not, that is decided anew, in one step, at the commit.
    pub overwrite: bool,
}

/// A target that can be written as things stand.
#[derive(Debug)]
pub struct SaveTarget {
    path: CheckedPath,
    parent: Parent,
    existing: Option<Facts>,
    options: SaveOptions,
}

/// A file being saved. Owns the unfinished file.
#[derive(Debug)]
pub struct Saving {
    path: CheckedPath,
    options: SaveOptions,
    /// The file that was there at the beginning.
    replaced: Option<Facts>,
    spool: Spool,
    written: u64,
}

impl SaveTarget {
    /// Makes the target's parents and looks at what is there.
    ///
    /// # Errors
    /// [`FileFailure::Exists`] for a file or directory that may not be overwritten; [`FileFailure::Denied`] for a
    /// FIFO, socket or device, a link, or one of the server's own files; [`FileFailure::Os`]: `EISDIR` for a
    /// directory, `EEXIST` when the parent is a file, `ENOTDIR` when one further up is, `EACCES`, …;
    /// [`FileFailure::Missing`] when the parents are removed again and again.
    pub fn prepare(path: CheckedPath, options: SaveOptions) -> Result<Self, FileFailure> {
        if path.real().parent().is_none() {
            return Err(directory(options));
        }
        let (parent, existing) = settle(|| {
            let parent = path.parent_made().map_err(FileFailure::of_parent)?;
            let existing = in_place(writable(&path, &parent, options), &parent, || path.parent())?;
            Ok((parent, existing))
        })?;
        Ok(Self { path, parent, existing, options })
    }

    /// Begins to take the content.
    ///
    /// # Errors
    /// [`FileFailure::Os`]: no file can be made; [`FileFailure::Missing`]: its directory is gone.
    pub fn begin(self) -> Result<Saving, FileFailure> {
        let spool = match Spool::beside(self.parent.dir(), self.existing.is_some()) {
            // The file may be written although its directory may not.
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) if self.existing.is_some() => Spool::elsewhere()?,
            made => match in_place(made.map_err(FileFailure::from), &self.parent, || self.path.parent()) {
                Err(FileFailure::Os(Errno::NOENT)) => return Err(FileFailure::Missing),
                made => made?,
            },
        };
        let Self { path, existing: replaced, options, .. } = self;
        Ok(Saving { path, options, replaced, spool, written: 0 })
    }
}

impl Saving {
    /// The real path that is being saved.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.path.real()
    }

    /// Appends to the content.
    ///
    /// # Errors
    /// [`FileFailure::Os`], `ENOSPC` for instance. The saving should then be dropped.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileFailure> {
        self.spool.write(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Puts the content in place and returns its length in bytes. Mode, owner and group of an existing file are kept;
    /// one with several hard links is written in place, as is one that nothing can be put beside.
    ///
    /// # Errors
    /// As [`SaveTarget::prepare`], of what is there now; [`FileFailure::Missing`] when the directory is gone. The target
    /// is then as it was.
    pub fn commit(mut self) -> Result<u64, FileFailure> {
        for _ in 0..ATTEMPTS {
            match settle(|| self.put()) {
                // Something has come to be there meanwhile.
                Err(FileFailure::Os(Errno::EXIST)) => {}
                done => return done.map(|()| self.written),
            }
        }
        Err(FileFailure::Os(Errno::EXIST))
    }

    /// Puts the content where the path leads now.
    fn put(&mut self) -> Result<(), FileFailure> {
        // The directory that is at the judged path now, should the one of the beginning have been moved away.
        let parent = self.path.parent().map_err(FileFailure::of_parent)?;
        let outcome = self.put_in(&parent);
        in_place(outcome, &parent, || self.path.parent())
    }

    fn put_in(&mut self, parent: &Parent) -> Result<(), FileFailure> {
        let Some(existing) = existing(&self.path, parent, self.options)? else {
            if let Some(gone) = &self.replaced {
                // The file has vanished, its mode has not.
                take_over(self.spool.file(), gone)?;
            }
            return match self.spool.publish_new(parent.dir(), parent.name()) {
                Err(FileFailure::Os(Errno::EXIST)) if !self.options.overwrite => Err(FileFailure::Exists),
                done => done,
            };
        };
        if existing.links > 1 || !self.spool.is_beside() {
            return self.pour(parent);
        }
        take_over(self.spool.file(), &existing)?;
        self.spool.publish_over(parent.dir(), parent.name())
    }

    /// Puts the content into the file that is there.
    fn pour(&mut self, parent: &Parent) -> Result<(), FileFailure> {
        let opened = match parent.open(OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY) {
            Err(Errno::LOOP) => return Err(PathDenial::Symlink.into()),
            // A FIFO that nobody reads.
            Err(Errno::NXIO) => return Err(PathDenial::Denied.into()),
            opened => opened?,
        };
        let facts = Facts::of(&opened)?;
        if facts.kind != Kind::File {
            return Err(PathDenial::Denied.into());
        }
        self.path.admit_file(&facts)?;
        self.spool.pour_into(&mut File::from(opened), facts.size, self.written)
    }
}

/// As [`existing`], if its mode allows it to be written.
fn writable(path: &CheckedPath, parent: &Parent, options: SaveOptions) -> Result<Option<Facts>, FileFailure> {
    let existing = existing(path, parent, options)?;
    if existing.is_some() {
        accessat(parent.dir(), parent.name(), Access::WRITE_OK, AtFlags::EACCESS)?;
    }
    Ok(existing)
}

/// The regular file that is there and may be overwritten; `None` when nothing is.
fn existing(path: &CheckedPath, parent: &Parent, options: SaveOptions) -> Result<Option<Facts>, FileFailure> {
    let facts = match parent.facts() {
        Ok(facts) => facts,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(errno.into()),
    };
    match facts.kind {
        Kind::Directory => Err(directory(options)),
        Kind::Link => Err(PathDenial::Symlink.into()),
        Kind::Fifo | Kind::Socket | Kind::Device => Err(PathDenial::Denied.into()),
        Kind::File if !options.overwrite => Err(FileFailure::Exists),
        Kind::File => {
            path.admit_file(&facts)?;
            Ok(Some(facts))
        }
    }
}

const fn directory(options: SaveOptions) -> FileFailure {
    if options.overwrite { FileFailure::Os(Errno::ISDIR) } else { FileFailure::Exists }
}
