//! The zip form, as APPNOTE 6.3 has it.
//!
//! An entry's header is written before its content and patched after it, so that readers need no trailing descriptor.
//! The central directory grows in a file of its own and is appended at the end.

mod dos_time;
mod record;

use std::fs::File;
use std::io::{BufWriter, Seek, Write};

use abxd_guards::file::Facts;
use flate2::{Compression, Crc};
use jiff::tz::TimeZone;
use rustix::io::Errno;

use self::dos_time::dos_time;
use self::record::{Directory, Entry, NEEDS_64};
use super::deflate::Deflate;
use super::member::{Contents, Format, Member};
use super::output::Output;
use super::{Archive, ArchiveFailure};
use crate::Cancel;
use crate::files::failure::FileFailure;
use crate::files::open::open;

/// A zip being written.
pub(super) struct Zip {
    out: Output,
    deflate: Deflate,
    contents: Contents,
    zone: TimeZone,
    /// The central directory.
    entries: BufWriter<File>,
    directory: Directory,
}

impl Zip {
    /// Begins one in `file`, of at most `most` bytes. `entries` is another empty file.
    pub(super) fn begin(file: File, entries: File, most: u64, cancel: &Cancel) -> Self {
        Self {
            out: Output::new(file, most),
            deflate: Deflate::new(Compression::default()),
            contents: Contents::new(cancel),
            zone: TimeZone::system(),
            entries: BufWriter::new(entries),
            directory: Directory::default(),
        }
    }

    fn file(&mut self, name: &[u8], mut file: File, facts: &Facts) -> Result<(), ArchiveFailure> {
        if name.len() > usize::from(u16::MAX) {
            return Err(Errno::NAMETOOLONG.into());
        }
        let mut entry = Entry {
            name,
            modified: dos_time(facts.modified, &self.zone),
            mode: facts.mode,
            offset: self.out.len(),
            // Compression may make it a little larger.
            large: facts.size >= NEEDS_64 - NEEDS_64 / 16,
            crc: 0,
            compressed: 0,
            size: 0,
        };
        self.out.write(entry.header().as_bytes())?;
        let start = self.out.len();
        let mut crc = Crc::new();
        while entry.size < facts.size {
            let piece = self.contents.next(&mut file, facts.size - entry.size)?;
            if piece.is_empty() {
                break;
            }
            crc.update(piece);
            self.deflate.write(piece, &mut self.out)?;
            entry.size += piece.len() as u64;
        }
        self.deflate.finish(&mut self.out)?;
        entry.crc = crc.sum();
        entry.compressed = self.out.len() - start;
        self.out.patch(entry.offset, entry.header().as_bytes())?;
        let listed = entry.listed();
        self.directory.grow(&listed);
        self.out.leave_room(self.directory.len(self.out.len()))?;
        self.entries.write_all(listed.as_bytes()).map_err(|error| ArchiveFailure::of_transfer(&error))
    }
}

impl Format for Zip {
    fn add(&mut self, name: &[u8], member: Member) -> Result<(), ArchiveFailure> {
        match member {
            Member::File(file, facts) => self.file(name, file, &facts),
            Member::Link { target, .. } => match open(&target) {
                Ok(opened) => self.file(name, opened.file, &opened.facts),
                // A loop, dangling, or no regular file: what can't be read has no content to pack.
                Err(FileFailure::Missing | FileFailure::NotAFile | FileFailure::Denied(_)) => Ok(()),
                Err(failure) => Err(failure.into()),
            },
            Member::Node(..) => Ok(()),
        }
    }

    fn finish(mut self) -> Result<Archive, ArchiveFailure> {
        let end = self.directory.end(self.out.len());
        let failed = |error| ArchiveFailure::of_transfer(&error);
        let mut entries = self.entries.into_inner().map_err(|error| failed(error.into_error()))?;
        entries.rewind().map_err(failed)?;
        loop {
            let piece = self.contents.next(&mut entries, u64::MAX)?;
            if piece.is_empty() {
                break;
            }
            self.out.write(piece)?;
        }
        self.out.write(end.as_bytes())?;
        self.out.finish()
    }
}
