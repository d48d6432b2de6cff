//! One thing to pack.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::BorrowedFd;

use abxd_guards::file::{Facts, Kind};
use abxd_guards::path::CheckedPath;
use rustix::fs::{AtFlags, FileType, statat};
use rustix::io::Errno;

use super::{ArchiveFailure, check};
use crate::Cancel;

/// One thing to pack, judged and, where it has content, open.
pub(super) enum Member {
    /// A regular file, and what its descriptor says of it.
    File(File, Facts),
    /// A link.
    Link {
        facts: Facts,
        /// Its text.
        text: Vec<u8>,
        /// Where it leads: perhaps nowhere, never to a directory.
        target: CheckedPath,
    },
    /// A FIFO, a device or a socket.
    Node(Node, Facts),
}

/// What is neither file nor directory nor link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Fifo,
    Socket,
    CharacterDevice,
    BlockDevice,
}

impl Node {
    /// What kind of node the entry `name` of `dir` is; `None` when it is none (any more).
    pub(super) fn at(dir: BorrowedFd<'_>, name: &OsStr) -> Option<(Self, Facts)> {
        let facts = Facts::at(dir, name).ok()?;
        let node = match facts.kind {
            Kind::Fifo => Self::Fifo,
            Kind::Socket => Self::Socket,
            Kind::Device => match FileType::from_raw_mode(statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok()?.st_mode) {
                FileType::CharacterDevice => Self::CharacterDevice,
                FileType::BlockDevice => Self::BlockDevice,
                _ => return None,
            },
            Kind::File | Kind::Directory | Kind::Link => return None,
        };
        Some((node, facts))
    }
}

/// Takes members into an archive.
pub(super) trait Format {
    /// Adds a member under `name`, or leaves it out if the format has nothing like it.
    fn add(&mut self, name: &[u8], member: Member) -> Result<(), ArchiveFailure>;

    /// Ends the archive.
    fn finish(self) -> Result<super::Archive, ArchiveFailure>;
}

/// Bytes that are read of a file at a time.
pub(super) const PIECE: usize = 256 * 1024;

/// Reads contents, one piece at a time, into one buffer.
pub(super) struct Contents {
    buffer: Vec<u8>,
    cancel: Cancel,
}

impl Contents {
    pub(super) fn new(cancel: &Cancel) -> Self {
        Self { buffer: vec![0; PIECE], cancel: cancel.clone() }
    }

    /// Up to `rest` of the next bytes of `file`: fewer than [`PIECE`] and fewer than `rest` only at its end.
    pub(super) fn next(&mut self, file: &mut File, rest: u64) -> Result<&[u8], ArchiveFailure> {
        check(&self.cancel)?;
        let wanted = usize::try_from(rest).unwrap_or(usize::MAX).min(PIECE);
        let buffer = self.buffer.get_mut(..wanted).unwrap_or_default();
        let mut filled = 0;
        while let Some(free) = buffer.get_mut(filled..).filter(|free| !free.is_empty()) {
            match file.read(free) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ArchiveFailure::of_transfer(&error)),
            }
        }
        self.buffer.get(..filled).ok_or_else(|| Errno::IO.into())
    }
}
