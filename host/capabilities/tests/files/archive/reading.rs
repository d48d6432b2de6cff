//! Reading archives by other implementations than the one that is tested.

use std::io::{Cursor, Read};

use abxd_capabilities::files::ArchiveFormat;
use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};
use zip::{CompressionMethod, ZipArchive};

/// One member.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: Vec<u8>,
    pub(crate) content: Vec<u8>,
    /// Permission bits.
    pub(crate) mode: u32,
    /// The rest, as its format has it.
    pub(crate) more: More,
}

#[derive(Debug)]
pub(crate) enum More {
    Tar { kind: EntryType, target: Vec<u8>, modified: f64, uid: u64, gid: u64, user: String, group: String },
    Zip { kind: u32, year: u16, system: u8, method: CompressionMethod },
}

pub(crate) type Members = Vec<Member>;

pub(crate) fn read(bytes: &[u8], format: ArchiveFormat) -> Members {
    match format {
        ArchiveFormat::TarGz => read_tar(bytes),
        ArchiveFormat::Zip => read_zip(bytes),
    }
}

fn read_tar(bytes: &[u8]) -> Members {
    let mut whole = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut whole).unwrap();
    assert_eq!(whole.len() % 512, 0);
    assert!(whole.ends_with(&[0; 1024]));
    let mut archive = Archive::new(&*whole);
    let mut members = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        let mut modified = entry.header().mtime().unwrap() as f64;
        for record in entry.pax_extensions().unwrap().into_iter().flatten() {
            let record = record.unwrap();
            if record.key().unwrap() == "mtime" {
                modified = record.value().unwrap().parse().unwrap();
            }
        }
        let header = entry.header();
        assert!(header.as_ustar().is_some());
        let text = |bytes: Option<&[u8]>| String::from_utf8(bytes.unwrap().to_vec()).unwrap();
        members.push(Member {
            content,
            mode: header.mode().unwrap(),
            more: More::Tar {
                kind: header.entry_type(),
                target: entry.link_name_bytes().map(|name| name.into_owned()).unwrap_or_default(),
                modified,
                uid: header.uid().unwrap(),
                gid: header.gid().unwrap(),
                user: text(header.username_bytes()),
                group: text(header.groupname_bytes()),
            },
            name: entry.path_bytes().into_owned(),
        });
    }
    members
}

fn read_zip(bytes: &[u8]) -> Members {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut members = Vec::new();
    // Several members of one name are one for the reader: the directory tells where each is.
    for at in directory_entries(bytes) {
        let index =
            (0..archive.len()).find(|index| archive.by_index_raw(*index).unwrap().name_raw() == name_at(bytes, at));
        let mut entry = archive.by_index(index.unwrap()).unwrap();
        let mut content = Vec::new();
        // The check sum is looked at, too.
        entry.read_to_end(&mut content).unwrap();
        let mode = entry.unix_mode().unwrap();
        members.push(Member {
            name: entry.name_raw().to_vec(),
            content,
            mode: mode & 0o7777,
            more: More::Zip {
                kind: mode & !0o7777,
                year: entry.last_modified().unwrap().year(),
                system: bytes[at + 5],
                method: entry.compression(),
            },
        });
    }
    members
}

/// Where the entries of the central directory begin.
fn directory_entries(bytes: &[u8]) -> Vec<usize> {
    let end = bytes.len() - 22;
    let mut at = u32::from_le_bytes(bytes[end + 16..end + 20].try_into().unwrap()) as usize;
    let mut entries = Vec::new();
    while bytes[at..].starts_with(b"PK\x01\x02") {
        entries.push(at);
        at += 46 + usize::from(short(bytes, at + 28)) + usize::from(short(bytes, at + 30));
    }
    assert_eq!(entries.len(), usize::from(short(bytes, end + 10)));
    entries
}

fn name_at(bytes: &[u8], entry: usize) -> &[u8] {
    &bytes[entry + 46..][..usize::from(short(bytes, entry + 28))]
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}
