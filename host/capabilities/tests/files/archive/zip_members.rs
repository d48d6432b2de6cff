//! What a zip holds of each kind of file (`contract: file_ops §10`, the table).

use std::fs::{self, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, UNIX_EPOCH};

use abxd_capabilities::files::ArchiveFormat::Zip;
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use zip::CompressionMethod;

use super::reading::More;
use super::{names, pack, set};
use crate::tree::Tree;

#[test]
fn a_file_is_deflated_and_keeps_its_mode() {
    let tree = Tree::new();
    let path = tree.file("t/one", &"1".repeat(1000));
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    let [member] = &pack(&tree, &["t"], Zip)[..] else { panic!("one member") };
    assert_eq!(member.mode, 0o640);
    let More::Zip { kind, method, system, .. } = member.more else { panic!("a tar") };
    assert_eq!((kind, method, system), (0o100_000, CompressionMethod::Deflated, 3));
}

#[test]
fn times_before_1980_are_1980() {
    let tree = Tree::new();
    for (name, secs) in [("old", 1), ("new", 1_700_000_000)] {
        let path = tree.file(&format!("t/{name}"), "");
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_times(FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_secs(secs))).unwrap();
    }
    for member in pack(&tree, &["t"], Zip) {
        let More::Zip { year, .. } = member.more else { panic!("a tar") };
        assert_eq!(year, if member.name == b"t/old" { 1980 } else { 2023 });
    }
}

#[test]
fn every_hard_link_is_a_full_copy() {
    let tree = Tree::new();
    tree.file("t/a", "content");
    fs::hard_link(tree.at("t/a"), tree.at("t/b")).unwrap();
    let members = pack(&tree, &["t"], Zip);
    assert_eq!(names(&members), set(&["t/a", "t/b"]));
    assert!(members.iter().all(|member| member.content == b"content"));
}

#[test]
fn links_become_what_they_lead_to_or_are_left_out() {
    let tree = Tree::new();
    let path = tree.file("t/one", "content");
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    tree.fifo("t/fifo");
    for (text, name) in
        [("one", "in"), ("in", "chain"), ("nowhere", "dangle"), ("loop", "loop"), ("fifo", "to-fifo"), ("one/x", "odd")]
    {
        tree.link(text, &format!("t/{name}"));
    }
    let members = pack(&tree, &["t"], Zip);
    assert_eq!(names(&members), set(&["t/one", "t/in", "t/chain"]));
    assert!(members.iter().all(|member| member.content == b"content" && member.mode == 0o600));
}

#[test]
fn what_has_no_content_is_left_out() {
    let tree = Tree::new();
    tree.file("t/one", "1");
    tree.fifo("t/fifo");
    let _socket = std::os::unix::net::UnixListener::bind(tree.at("t/socket")).unwrap();
    // Only root may make devices, and not everywhere.
    let _ = mknodat(CWD, tree.at("t/null"), FileType::CharacterDevice, Mode::from_raw_mode(0o600), makedev(1, 3));
    assert_eq!(names(&pack(&tree, &["t"], Zip)), set(&["t/one"]));
}
