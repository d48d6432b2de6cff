//! What a tar holds of each kind of file (`contract: file_ops §10`, the table).

use std::fs::{self, FileTimes, Permissions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use abxd_capabilities::files::ArchiveFormat::TarGz;
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use tar::EntryType;

use super::reading::{Member, More};
use super::{names, options, pack, pack_with, set};
use crate::tree::Tree;

fn kind(member: &Member) -> EntryType {
    match member.more {
        More::Tar { kind, .. } => kind,
        More::Zip { .. } => panic!("a zip"),
    }
}

fn target(member: &Member) -> &[u8] {
    match &member.more {
        More::Tar { target, .. } => target,
        More::Zip { .. } => panic!("a zip"),
    }
}

fn modified(member: &Member) -> f64 {
    match member.more {
        More::Tar { modified, .. } => modified,
        More::Zip { .. } => panic!("a zip"),
    }
}

fn set_time(tree: &Tree, path: &str, time: SystemTime) {
    let file = fs::File::options().write(true).open(tree.at(path)).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

#[test]
fn a_file_keeps_mode_time_and_owner() {
    let tree = Tree::new();
    let path = tree.file("t/one", "1");
    fs::set_permissions(&path, Permissions::from_mode(0o4640)).unwrap();
    set_time(&tree, "t/one", UNIX_EPOCH + Duration::new(1_700_000_000, 250_000_000));
    let meta = fs::metadata(&path).unwrap();
    let [member] = &pack(&tree, &["t"], TarGz)[..] else { panic!("one member") };
    assert_eq!((kind(member), member.mode, modified(member)), (EntryType::Regular, 0o4640, 1_700_000_000.25));
    let More::Tar { uid, gid, user, group, .. } = &member.more else { panic!("a zip") };
    assert_eq!((*uid, *gid), (meta.uid().into(), meta.gid().into()));
    let named = |file: &str, id: u32| {
        let text = fs::read_to_string(file).unwrap();
        let line = text.lines().find(|line| line.split(':').nth(2) == Some(&id.to_string())).map(str::to_owned);
        line.and_then(|line| line.split(':').next().map(str::to_owned)).unwrap_or_default()
    };
    assert_eq!((user, group), (&named("/etc/passwd", meta.uid()), &named("/etc/group", meta.gid())));
}

#[test]
fn times_before_the_epoch_and_far_ahead_are_kept() {
    let tree = Tree::new();
    for (name, time) in [
        ("old", UNIX_EPOCH - Duration::from_millis(1500)),
        ("before-1980", UNIX_EPOCH + Duration::from_secs(1)),
        ("far", UNIX_EPOCH + Duration::from_secs(5_000_000_000)),
    ] {
        tree.file(&format!("t/{name}"), "");
        set_time(&tree, &format!("t/{name}"), time);
    }
    for member in pack(&tree, &["t"], TarGz) {
        let expected = match &*member.name {
            b"t/old" => -1.5,
            b"t/before-1980" => 1.0,
            _ => 5_000_000_000.0,
        };
        assert_eq!(modified(&member), expected);
    }
}

#[test]
fn a_second_hard_link_points_at_the_first_name() {
    let tree = Tree::new();
    tree.file("t/a", "content");
    fs::hard_link(tree.at("t/a"), tree.at("t/b")).unwrap();
    tree.dir("u");
    fs::hard_link(tree.at("t/a"), tree.at("u/c")).unwrap();
    let members = pack(&tree, &["t", "u", "t/a", "t"], TarGz);
    let first = &members[0];
    assert_eq!((kind(first), &*first.content), (EntryType::Regular, &b"content"[..]));
    assert_eq!(members.len(), 6);
    for member in &members[1..] {
        if member.name == first.name {
            // The very same name again is the file itself.
            assert_eq!((kind(member), &*member.content), (EntryType::Regular, &b"content"[..]));
        } else {
            assert_eq!((kind(member), target(member), member.content.len()), (EntryType::Link, &*first.name, 0));
        }
    }
}

#[test]
fn links_stay_links_wherever_they_lead_inside() {
    let tree = Tree::new();
    tree.file("t/one", "1");
    let absolute = tree.at("t/one");
    let texts = [("rel", "one"), ("dangle", "no/where"), ("loop", "loop"), ("abs", absolute.to_str().unwrap())];
    for (name, text) in texts {
        tree.link(text, &format!("t/{name}"));
    }
    let long = "./".repeat(100) + "one";
    tree.link(&long, "t/long");
    let members = pack(&tree, &["t"], TarGz);
    assert_eq!(members.len(), 6);
    for member in members.iter().filter(|member| member.name != b"t/one") {
        let name = std::str::from_utf8(&member.name).unwrap().strip_prefix("t/").unwrap();
        let text = texts.iter().find(|(own, _)| *own == name).map_or(long.as_str(), |(_, text)| *text);
        assert_eq!((kind(member), target(member)), (EntryType::Symlink, text.as_bytes()));
    }
}

#[test]
fn fifos_and_devices_are_members_and_sockets_are_not() {
    let tree = Tree::new();
    tree.dir("t");
    tree.fifo("t/fifo");
    let _socket = std::os::unix::net::UnixListener::bind(tree.at("t/socket")).unwrap();
    let mut expected = vec!["t/fifo"];
    // Only root may make devices, and not everywhere.
    for (name, kind) in [("t/null", FileType::CharacterDevice), ("t/disk", FileType::BlockDevice)] {
        if mknodat(CWD, tree.at(name), kind, Mode::from_raw_mode(0o600), makedev(1, 3)).is_ok() {
            expected.push(name);
        }
    }
    let members = pack(&tree, &["t"], TarGz);
    assert_eq!(names(&members), set(&expected));
    for member in members {
        let expected = match &*member.name {
            b"t/fifo" => EntryType::Fifo,
            b"t/null" => EntryType::Char,
            _ => EntryType::Block,
        };
        assert_eq!(kind(&member), expected);
    }
}

#[test]
fn the_gzip_header_tells_level_and_time() {
    let tree = Tree::new();
    tree.file("a", "A");
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let before = now();
    let bytes = pack_with(&tree, &["a"], &options(TarGz)).unwrap();
    let after = now();
    let mut decoder = flate2::read::GzDecoder::new(&*bytes);
    decoder.read_to_end(&mut Vec::new()).unwrap();
    let header = decoder.header().unwrap();
    assert!((before..=after).contains(&u64::from(header.mtime())));
    assert_eq!(bytes[8..10], [0, 3], "neither the fastest nor the best compression (RFC 1952 §2.3.1), on Unix");
    assert!(decoder.into_inner().is_empty(), "nothing follows");
}
