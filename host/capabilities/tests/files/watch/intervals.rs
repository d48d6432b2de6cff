//! Looks at intervals, where the kernel can't tell.

use std::fs;
use std::time::UNIX_EPOCH;

use abxd_capabilities::files::{Notifier, WatchEnd, WatchOptions};

use super::rig::{Created, DEEP, Deleted, Modified, Rig, Told, told};
use crate::tree::Tree;

const LOOKS: WatchOptions = WatchOptions { notifier: Notifier::Interval, ..DEEP };

/// A directory whose content changed may be told as modified.
fn without_directories(changes: Vec<Told>) -> Vec<Told> {
    changes.into_iter().filter(|(kind, _, is_dir)| *kind != Modified || !is_dir).collect()
}

#[tokio::test]
async fn differences_are_told() {
    let tree = Tree::new();
    tree.file("d/old", "1");
    tree.file("d/gone/x", "1");
    let mut rig = Rig::new(&tree, "", LOOKS).await;
    tree.file("d/new/x", "1");
    tree.file("d/old", "22");
    fs::remove_dir_all(tree.at("d/gone")).unwrap();
    let mut changes = without_directories(rig.told().await);
    changes.sort_by(|(_, one, _), (_, other, _)| one.cmp(other));
    let expected = [
        told(Deleted, "d/gone", true),
        told(Deleted, "d/gone/x", false),
        told(Created, "d/new", true),
        told(Created, "d/new/x", false),
        told(Modified, "d/old", false),
    ];
    assert_eq!(changes, expected);
    assert_eq!(without_directories(rig.told().await), []);
}

#[tokio::test]
async fn something_else_under_the_same_name_is_told() {
    let tree = Tree::new();
    tree.file("a", "1");
    tree.file("d/x", "1");
    tree.file("e/y", "1");
    let mut rig = Rig::new(&tree, "", LOOKS).await;
    fs::remove_file(tree.at("a")).unwrap();
    tree.dir("a");
    fs::rename(tree.at("d"), tree.outside.join("d")).unwrap();
    fs::rename(tree.at("e"), tree.at("d")).unwrap();
    let changes = rig.told().await;
    for change in [told(Deleted, "a", false), told(Created, "a", true), told(Deleted, "d/x", false)] {
        assert!(changes.contains(&change), "{change:?} in {changes:?}");
    }
    rig.assert_complete();
}

#[tokio::test]
async fn a_rewrite_that_leaves_size_and_time_as_they_were_is_told() {
    let tree = Tree::new();
    let path = tree.file("a", "1");
    fs::File::open(&path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    let mut rig = Rig::new(&tree, "", LOOKS).await;
    assert_eq!(rig.told().await, []);
    fs::write(&path, "2").unwrap();
    fs::File::open(&path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    assert_eq!(rig.told().await, [told(Modified, "a", false)]);
}

#[tokio::test]
async fn the_removal_of_the_root_is_told() {
    let tree = Tree::new();
    tree.file("w/d/a", "1");
    let mut rig = Rig::new(&tree, "w", LOOKS).await;
    fs::remove_dir_all(tree.at("w")).unwrap();
    let expected = [told(Deleted, "d/a", false), told(Deleted, "d", true), told(Deleted, "", true)];
    assert_eq!(rig.rest().await, (expected.into(), WatchEnd::Deleted));
}
