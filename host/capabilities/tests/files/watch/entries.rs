//! Entries of the watched directory.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, UNIX_EPOCH};

use rustix::fs::{CWD, RenameFlags, Timespec, Timestamps, UTIME_OMIT, futimens, renameat_with};

use super::rig::{Created, DEEP, Deleted, FLAT, Modified, Rig, told};
use crate::tree::Tree;

#[tokio::test]
async fn coming_changing_and_going_are_told() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", FLAT).await;
    tree.file("a", "1");
    tree.dir("d");
    assert_eq!(rig.told().await, [told(Created, "a", false), told(Created, "d", true)]);
    tree.file("a", "22");
    assert_eq!(rig.told().await, [told(Modified, "a", false)]);
    fs::remove_file(tree.at("a")).unwrap();
    fs::remove_dir(tree.at("d")).unwrap();
    assert_eq!(rig.told().await, [told(Deleted, "a", false), told(Deleted, "d", true)]);
}

#[tokio::test]
async fn what_was_there_before_is_told_only_when_it_changes() {
    let tree = Tree::new();
    tree.file("old", "1");
    tree.dir("dir");
    let mut rig = Rig::new(&tree, "", FLAT).await;
    assert_eq!(rig.told().await, []);
    fs::OpenOptions::new().append(true).open(tree.at("old")).unwrap().set_len(0).unwrap();
    fs::remove_dir(tree.at("dir")).unwrap();
    assert_eq!(rig.told().await, [told(Modified, "old", false), told(Deleted, "dir", true)]);
}

#[tokio::test]
async fn a_file_that_lives_for_a_moment_is_told_twice() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", FLAT).await;
    for round in 0..50 {
        let name = format!("flash{round}");
        tree.file(&name, "1");
        fs::remove_file(tree.at(&name)).unwrap();
    }
    let mut expected = Vec::new();
    for round in 0..50 {
        expected.extend([Created, Deleted].map(|kind| told(kind, &format!("flash{round}"), false)));
    }
    assert_eq!(rig.told().await, expected);
}

#[tokio::test]
async fn every_appearance_of_a_name_is_told() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", FLAT).await;
    for _ in 0..20 {
        tree.file("a", "1");
        fs::remove_file(tree.at("a")).unwrap();
        tree.dir("a");
        fs::remove_dir(tree.at("a")).unwrap();
    }
    let round = [(Created, false), (Deleted, false), (Created, true), (Deleted, true)];
    let expected: Vec<_> = round.iter().cycle().take(80).map(|(kind, is_dir)| told(*kind, "a", *is_dir)).collect();
    assert_eq!(rig.told().await, expected);
}

#[tokio::test]
async fn a_rewrite_that_leaves_size_and_time_as_they_were_is_told() {
    let tree = Tree::new();
    let path = tree.file("a", "1");
    let old = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::open(&path).unwrap().set_modified(old).unwrap();
    let mut rig = Rig::new(&tree, "", FLAT).await;
    fs::write(&path, "2").unwrap();
    fs::File::open(&path).unwrap().set_modified(old).unwrap();
    assert_eq!(rig.told().await, [told(Modified, "a", false)]);
}

#[tokio::test]
async fn modes_and_access_times_are_not_told_modification_times_are() {
    let tree = Tree::new();
    let path = tree.file("a", "1");
    tree.dir("d");
    let mut rig = Rig::new(&tree, "", FLAT).await;
    for name in ["a", "d"] {
        fs::set_permissions(tree.at(name), fs::Permissions::from_mode(0o700)).unwrap();
        let omitted = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let times = Timestamps { last_access: Timespec { tv_sec: 7, tv_nsec: 0 }, last_modification: omitted };
        futimens(fs::File::open(tree.at(name)).unwrap(), &times).unwrap();
    }
    assert_eq!(rig.told().await, []);
    fs::File::open(&path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    assert_eq!(rig.told().await, [told(Modified, "a", false)]);
}

#[tokio::test]
async fn a_rename_inside_is_one_coming_and_one_going() {
    let tree = Tree::new();
    tree.file("a", "1");
    let mut rig = Rig::new(&tree, "", FLAT).await;
    fs::rename(tree.at("a"), tree.at("b")).unwrap();
    let mut changes = rig.told().await;
    changes.sort_by_key(|(_, path, _)| path.clone());
    assert_eq!(changes, [told(Deleted, "a", false), told(Created, "b", false)]);
}

#[tokio::test]
async fn renames_across_the_border_are_a_coming_or_a_going() {
    let tree = Tree::new();
    fs::write(tree.outside.join("x"), "1").unwrap();
    tree.file("a", "1");
    let mut rig = Rig::new(&tree, "", FLAT).await;
    fs::rename(tree.outside.join("x"), tree.at("x")).unwrap();
    fs::rename(tree.at("a"), tree.outside.join("a")).unwrap();
    assert_eq!(rig.told().await, [told(Created, "x", false), told(Deleted, "a", false)]);
}

#[tokio::test]
async fn a_rename_onto_a_name_modifies_it() {
    let tree = Tree::new();
    tree.file("a", "1");
    tree.file("b", "2");
    let mut rig = Rig::new(&tree, "", FLAT).await;
    fs::rename(tree.at("a"), tree.at("b")).unwrap();
    assert_eq!(rig.told().await, [told(Deleted, "a", false), told(Modified, "b", false)]);
}

#[tokio::test]
async fn an_upload_shows_its_target_and_never_the_unfinished_file() {
    let tree = Tree::new();
    tree.file("old", "1");
    let mut rig = Rig::new(&tree, "", FLAT).await;
    tree.save("old", b"replaced", true).unwrap();
    tree.save("new", b"made", true).unwrap();
    let changes = rig.told().await;
    assert_eq!(changes.first(), Some(&told(Modified, "old", false)));
    assert_eq!(changes.get(1), Some(&told(Created, "new", false)));
    assert!(changes.iter().all(|(_, path, _)| path == "old" || path == "new"), "{changes:?}");
}

#[tokio::test]
async fn names_that_change_places_are_both_there_afterwards() {
    let tree = Tree::new();
    tree.file("a", "1");
    tree.file("b", "22");
    tree.file("dir/in-dir", "3");
    tree.dir("empty");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    for (one, other) in [("a", "b"), ("dir", "empty"), ("a", "dir")] {
        renameat_with(CWD, tree.at(one), CWD, tree.at(other), RenameFlags::EXCHANGE).unwrap();
        assert!(!rig.told().await.is_empty());
        rig.assert_complete();
    }
}

#[tokio::test]
async fn hard_links_and_links_are_entries_and_no_directories() {
    let tree = Tree::new();
    tree.file("a", "1");
    tree.file("d/x", "1");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    fs::hard_link(tree.at("a"), tree.at("h")).unwrap();
    tree.link("d", "l");
    tree.link("nowhere", "dangling");
    let expected = [told(Created, "h", false), told(Created, "l", false), told(Created, "dangling", false)];
    assert_eq!(rig.told().await, expected);
    tree.file("l/y", "1");
    assert_eq!(rig.told().await, [told(Created, "d/y", false)]);
    fs::remove_file(tree.at("l")).unwrap();
    assert_eq!(rig.told().await, [told(Deleted, "l", false)]);
}

#[tokio::test]
async fn without_recursion_only_direct_children_are_told() {
    let tree = Tree::new();
    tree.dir("d");
    let mut rig = Rig::new(&tree, "", FLAT).await;
    tree.file("d/x", "1");
    tree.file("e/y", "1");
    let changes = rig.told().await;
    assert_eq!(changes, [told(Created, "e", true)]);
}

#[tokio::test]
async fn names_are_bytes() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", FLAT).await;
    let name = std::ffi::OsStr::from_bytes(b"bad\xff\n.txt");
    fs::write(tree.at(name), "").unwrap();
    assert_eq!(rig.told().await, [told(Created, "bad\u{fffd}\n.txt", false)]);
    rig.assert_complete();
}

#[tokio::test]
async fn writes_to_a_file_that_was_unlinked_are_not_those_of_its_successor() {
    use std::io::Write;
    let tree = Tree::new();
    let mut old = fs::File::create(tree.at("a")).unwrap();
    let mut rig = Rig::new(&tree, "", FLAT).await;
    fs::remove_file(tree.at("a")).unwrap();
    tree.file("a", "new");
    assert_eq!(rig.told().await, [told(Deleted, "a", false), told(Created, "a", false)]);
    old.write_all(b"late").unwrap();
    drop(old);
    assert_eq!(rig.told().await, []);
}
