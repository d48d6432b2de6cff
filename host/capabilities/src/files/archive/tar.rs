//! The tar form: POSIX pax, compressed by gzip.

mod gzip;
mod header;
mod owners;
mod pax;

use std::collections::HashMap;
use std::fs::File;

use abxd_guards::file::{Facts, FileId};
use rustix::io::Errno;

use self::gzip::Gzip;
use self::header::{BLOCK, Header, Kind};
use self::owners::Owners;
use super::member::{Contents, Format, Member, Node, PIECE};
use super::output::Output;
use super::{Archive, ArchiveFailure};
use crate::Cancel;

/// What ends an archive.
const END: [u8; 2 * BLOCK] = [0; 2 * BLOCK];

/// A tar.gz being written.
pub(super) struct TarGz {
    gzip: Gzip,
    contents: Contents,
    owners: Owners,
    /// The first name of each file that has several: by device and inode, no more than files are allowed.
    names: HashMap<((u32, u32), u64), Vec<u8>>,
}

impl TarGz {
    /// Begins one in `file`, of at most `most` bytes.
    pub(super) fn begin(file: File, most: u64, cancel: &Cancel) -> Result<Self, ArchiveFailure> {
        Ok(Self {
            gzip: Gzip::begin(Output::new(file, most))?,
            contents: Contents::new(cancel),
            owners: Owners::default(),
            names: HashMap::new(),
        })
    }

    fn without_content(&mut self, header: Header<'_>) -> Result<(), ArchiveFailure> {
        let header = header.to_bytes(self.owners.of(header.facts));
        self.gzip.write(&header)
    }

    fn file(&mut self, name: &[u8], mut file: File, facts: &Facts) -> Result<(), ArchiveFailure> {
        // What fits into one piece is read before its size is told.
        let mut piece = self.contents.next(&mut file, facts.size)?;
        let size = if facts.size <= PIECE as u64 { piece.len() as u64 } else { facts.size };
        let header = Header { size, ..Header::new(Kind::File, name, facts) };
        self.gzip.write(&header.to_bytes(self.owners.of(facts)))?;
        let mut rest = size;
        while !piece.is_empty() {
            self.gzip.write(piece)?;
            rest = rest.saturating_sub(piece.len() as u64);
            piece = self.contents.next(&mut file, rest)?;
        }
        if rest > 0 {
            return Err(Errno::IO.into());
        }
        let padding = usize::try_from(size.next_multiple_of(BLOCK as u64) - size).unwrap_or_default();
        self.gzip.write(END.get(..padding).unwrap_or_default())
    }

    /// The name under which the file has been packed already, if that is another one.
    fn first_name(&mut self, name: &[u8], facts: &Facts) -> Option<Vec<u8>> {
        if facts.links < 2 {
            return None;
        }
        let FileId { device, inode } = facts.id;
        let first = self.names.entry((device, inode)).or_insert_with(|| name.to_vec());
        (first != name).then(|| first.clone())
    }
}

impl Format for TarGz {
    fn add(&mut self, name: &[u8], member: Member) -> Result<(), ArchiveFailure> {
        match member {
            Member::File(file, facts) => match self.first_name(name, &facts) {
                Some(first) => {
                    self.without_content(Header { target: &first, ..Header::new(Kind::HardLink, name, &facts) })
                }
                None => self.file(name, file, &facts),
            },
            Member::Link { facts, text, .. } => {
                self.without_content(Header { target: &text, ..Header::new(Kind::Link, name, &facts) })
            }
            Member::Node(node, facts) => {
                let kind = match node {
                    Node::Fifo => Kind::Fifo,
                    Node::CharacterDevice => Kind::CharacterDevice,
                    Node::BlockDevice => Kind::BlockDevice,
                    Node::Socket => return Ok(()),
                };
                self.without_content(Header::new(kind, name, &facts))
            }
        }
    }

    fn finish(mut self) -> Result<Archive, ArchiveFailure> {
        self.gzip.write(&END)?;
        self.gzip.finish()
    }
}
