use abxd_guards::file::{Facts, FileId, Kind as FileKind, Time};
use tar::{Archive, EntryType};

use super::{BLOCK, Header, Kind, decimal};

fn facts() -> Facts {
    let time = Time { secs: 1_700_000_000, nanos: 0 };
    Facts {
        kind: FileKind::File,
        mode: 0o4640,
        links: 1,
        uid: 1000,
        gid: 100,
        size: 0,
        id: FileId { device: (8, 1), inode: 7 },
        device: (5, 259),
        accessed: time,
        modified: time,
        changed: time,
    }
}

/// A member as another implementation reads it.
#[derive(Debug, PartialEq)]
struct Read1 {
    kind: EntryType,
    name: Vec<u8>,
    target: Option<Vec<u8>>,
    size: u64,
    uid: u64,
    mode: u32,
    modified: u64,
    pax: Vec<(String, Vec<u8>)>,
}

fn read(header: &Header<'_>, owners: (&str, &str)) -> Read1 {
    let mut bytes = header.to_bytes(owners);
    assert_eq!(bytes.len() % BLOCK, 0);
    bytes.resize(bytes.len() + 2 * BLOCK, 0);
    let mut archive = Archive::new(&*bytes);
    let mut entry = archive.entries().unwrap().next().unwrap().unwrap();
    let pax = entry.pax_extensions().unwrap().into_iter().flatten().map(|record| {
        let record = record.unwrap();
        (record.key().unwrap().to_owned(), record.value_bytes().to_vec())
    });
    let pax = pax.collect();
    let header = entry.header();
    Read1 {
        kind: header.entry_type(),
        size: entry.size(),
        uid: header.uid().unwrap(),
        mode: header.mode().unwrap(),
        modified: header.mtime().unwrap(),
        name: entry.path_bytes().into_owned(),
        target: entry.link_name_bytes().map(|name| name.into_owned()),
        pax,
    }
}

#[test]
fn a_plain_member_is_one_block() {
    let facts = facts();
    let header = Header::new(Kind::File, b"d/a.txt", &facts);
    let bytes = header.to_bytes(("ann", "users"));
    assert_eq!(bytes.len(), BLOCK);
    assert_eq!(bytes[100..148], *b"0004640\x000001750\x000000144\x0000000000000\x0014524770400\x00");
    assert_eq!(bytes[257..269], *b"ustar\x0000ann\x00");
    assert_eq!(bytes[297..303], *b"users\x00");
    assert_eq!(bytes[329..345], *b"0000000\x000000000\x00");
    let read = read(&header, ("ann", "users"));
    assert_eq!((read.kind, &*read.name, read.target, read.pax), (EntryType::Regular, &b"d/a.txt"[..], None, vec![]));
}

#[test]
fn links_and_nodes_tell_what_they_are() {
    let facts = facts();
    for (kind, entry) in [
        (Kind::HardLink, EntryType::Link),
        (Kind::Link, EntryType::Symlink),
        (Kind::Fifo, EntryType::Fifo),
        (Kind::CharacterDevice, EntryType::Char),
        (Kind::BlockDevice, EntryType::Block),
    ] {
        let target = if kind == Kind::Link || kind == Kind::HardLink { &b"../x"[..] } else { b"" };
        let header = Header { target, ..Header::new(kind, b"n", &facts) };
        let read = read(&header, ("", ""));
        assert_eq!((read.kind, read.target.unwrap_or_default()), (entry, target.to_vec()));
        let device = if entry == EntryType::Char || entry == EntryType::Block { (5, 259) } else { (0, 0) };
        let bytes = header.to_bytes(("", ""));
        assert_eq!(bytes[329..345], *format!("{:07o}\0{:07o}\0", device.0, device.1).as_bytes());
    }
}

#[test]
fn long_and_foreign_names_stand_in_records() {
    let facts = facts();
    for (name, recorded) in [
        (b"a".repeat(100), false),
        (b"a".repeat(101), true),
        (b"d/".repeat(2000), true),
        ("é".as_bytes().to_vec(), true),
        (b"bad\xff".to_vec(), false),
        ([b"\xff".repeat(101)].concat(), true),
    ] {
        let header = Header { target: &name, ..Header::new(Kind::Link, &name, &facts) };
        let read = read(&header, ("", ""));
        assert_eq!((&read.name, read.target.as_ref()), (&name, Some(&name)));
        let keys: Vec<_> = read.pax.iter().map(|(key, _)| key.as_str()).collect();
        let binary = std::str::from_utf8(&name).is_err();
        let expected: &[&str] = match (recorded, binary) {
            (false, _) => &[],
            (true, false) => &["path", "linkpath"],
            (true, true) => &["hdrcharset", "path", "linkpath"],
        };
        assert_eq!(keys, expected);
    }
}

#[test]
fn numbers_that_fields_cannot_hold_stand_in_records() {
    let facts = Facts { uid: u32::MAX, gid: 2_097_152, modified: Time { secs: -1, nanos: 500_000_000 }, ..facts() };
    let header = Header { size: 1 << 33, ..Header::new(Kind::File, b"n", &facts) };
    let bytes = header.to_bytes(("", ""));
    let block = &bytes[bytes.len() - BLOCK..];
    assert_eq!(block[108..148], *b"0000000\x000000000\x0000000000000\x0000000000000\x00");
    let long = "u".repeat(40);
    let bytes = header.to_bytes((&long, "é"));
    let text = String::from_utf8_lossy(&bytes);
    for record in
        ["size=8589934592", "uid=4294967295", "gid=2097152", "mtime=-0.5", &format!("uname={long}"), "gname=é"]
    {
        assert!(text.contains(&format!(" {record}\n")), "{record}");
    }
    let most = Facts { uid: 2_097_151, modified: Time { secs: 8_589_934_591, nanos: 0 }, ..facts };
    let header = Header { size: (1 << 33) - 1, ..Header::new(Kind::File, b"n", &most) };
    assert!(!String::from_utf8_lossy(&header.to_bytes(("", ""))).contains("size="));
    assert_eq!(header.to_bytes(("", "")).len(), 3 * BLOCK, "of its numbers only the group needs a record");
}

#[test]
fn times_keep_their_fraction() {
    for (secs, nanos, text) in [
        (1_700_000_000, 123_456_789, "1700000000.123456789"),
        (0, 100_000_000, "0.1"),
        (0, 1, "0.000000001"),
        (100, 0, "100"),
        (-1, 500_000_000, "-0.5"),
        (-2, 750_000_000, "-1.25"),
        (-100, 0, "-100"),
        (i64::MIN, 1, "-9223372036854775807.999999999"),
    ] {
        assert_eq!(decimal(Time { secs, nanos }), text);
    }
}
