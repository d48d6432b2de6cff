use std::io::Cursor;

use super::{Directory, Entry, NEEDS_64, Record};
use zip::ZipArchive;

const EMPTY_DEFLATE: [u8; 2] = [3, 0];

fn entry(name: &[u8]) -> Entry<'_> {
    Entry { name, modified: 1 << 21 | 1 << 16, mode: 0o640, offset: 0, large: false, crc: 0, compressed: 2, size: 0 }
}

/// A whole archive with one empty member.
fn archive(entry: &Entry<'_>) -> Vec<u8> {
    let mut bytes = [entry.header().as_bytes(), &EMPTY_DEFLATE].concat();
    let offset = bytes.len() as u64;
    let listed = entry.listed();
    let mut directory = Directory::default();
    directory.grow(&listed);
    bytes.extend_from_slice(listed.as_bytes());
    bytes.extend_from_slice(directory.end(offset).as_bytes());
    assert_eq!(bytes.len() as u64, offset + directory.len(offset));
    bytes
}

#[test]
fn names_are_marked_as_utf8_only_when_they_are_it_and_not_ascii() {
    for (name, flag) in [(&b"a.txt"[..], 0), ("é".as_bytes(), 8), (b"bad\xff", 0)] {
        let bytes = archive(&entry(name));
        assert_eq!(bytes[7], flag);
        let mut read = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let member = read.by_index(0).unwrap();
        assert_eq!((member.name_raw(), member.unix_mode(), member.size()), (name, Some(0o100_640), 0));
    }
}

#[test]
fn an_archive_of_nothing_is_22_bytes() {
    let directory = Directory::default();
    assert_eq!(directory.end(0).as_bytes(), b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(directory.len(0), 22);
}

#[test]
fn large_members_have_room_for_long_sizes() {
    let small = Entry { large: true, ..entry(b"n") };
    assert_eq!(small.header().as_bytes().len(), entry(b"n").header().as_bytes().len() + 20);
    let mut read = ZipArchive::new(Cursor::new(archive(&small))).unwrap();
    assert_eq!(read.by_index(0).unwrap().size(), 0);
    let huge = Entry { size: NEEDS_64 + 1, compressed: 5, offset: NEEDS_64, ..small };
    let listed = huge.listed();
    let extra = &listed.as_bytes()[47..];
    assert_eq!(*extra, [&[1, 0, 16, 0][..], &(NEEDS_64 + 1).to_le_bytes(), &NEEDS_64.to_le_bytes()].concat());
    assert_eq!(listed.as_bytes()[20..28], [5, 0, 0, 0, 255, 255, 255, 255]);
    assert_eq!(listed.as_bytes()[42..46], [255; 4]);
}

#[test]
fn the_mode_stands_in_the_upper_half_of_the_attributes() {
    let listed = Entry { mode: 0o4755, ..entry(b"n") }.listed();
    assert_eq!(listed.as_bytes()[38..42], (0o104_755_u32 << 16).to_le_bytes());
    assert_eq!(listed.as_bytes()[4..6], [20, 3]);
}

#[test]
fn many_entries_and_far_directories_need_a_long_end() {
    let mut directory = Directory::default();
    for _ in 0..65_534 {
        directory.grow(&Record::default());
    }
    assert_eq!(directory.end(0).as_bytes().len(), 22);
    assert_eq!(directory.end(NEEDS_64 - 1).as_bytes().len(), 22);
    assert_eq!(directory.end(NEEDS_64).as_bytes().len(), 98);
    directory.grow(&Record::default());
    assert_eq!(directory.end(0).as_bytes().len(), 98);
    assert_eq!(directory.len(0), 98);
}
