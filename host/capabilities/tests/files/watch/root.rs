//! The watched directory itself.

use std::fs;
use std::time::Duration;

use abxd_capabilities::files::{FileFailure, Watch, WatchEnd, WatchFailure, WatchOptions, WatchStep};
use abxd_guards::path::Access::Read;

use super::rig::{Created, DEEP, Deleted, FLAT, Rig, told};
use crate::tree::Tree;

#[tokio::test]
async fn its_removal_is_told_last_and_ends_the_watch() {
    for options in [FLAT, DEEP] {
        let tree = Tree::new();
        tree.file("w/a", "1");
        let mut rig = Rig::new(&tree, "w", options).await;
        fs::remove_dir_all(tree.at("w")).unwrap();
        let expected = [told(Deleted, "a", false), told(Deleted, "", true)];
        assert_eq!(rig.rest().await, (expected.into(), WatchEnd::Deleted));
        assert_eq!(rig.step().await, WatchStep::End(WatchEnd::Deleted));
    }
}

#[tokio::test]
async fn an_allowed_root_can_be_watched_and_removed() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", DEEP).await;
    fs::remove_dir(&tree.root).unwrap();
    assert_eq!(rig.rest().await, (vec![told(Deleted, "", true)], WatchEnd::Deleted));
}

#[tokio::test]
async fn renaming_it_or_a_directory_above_it_is_a_removal() {
    let tree = Tree::new();
    tree.file("above/w/a", "1");
    let expected = vec![told(Deleted, "a", false), told(Deleted, "", true)];
    let mut rig = Rig::new(&tree, "above/w", DEEP).await;
    fs::rename(tree.at("above/w"), tree.at("above/v")).unwrap();
    assert_eq!(rig.rest().await, (expected.clone(), WatchEnd::Deleted));
    let mut rig = Rig::new(&tree, "above/v", DEEP).await;
    fs::rename(tree.at("above"), tree.at("elsewhere")).unwrap();
    assert_eq!(rig.rest().await, (expected, WatchEnd::Deleted));
}

#[tokio::test]
async fn another_directory_in_its_place_is_not_it() {
    let tree = Tree::new();
    tree.dir("w");
    let mut rig = Rig::new(&tree, "w", DEEP).await;
    fs::rename(tree.at("w"), tree.at("old")).unwrap();
    tree.file("w/new", "1");
    assert_eq!(rig.rest().await, (vec![told(Deleted, "", true)], WatchEnd::Deleted));
}

#[tokio::test]
async fn a_removal_that_an_open_descriptor_hides_from_the_kernel_is_noticed() {
    let tree = Tree::new();
    let path = tree.dir("w");
    let mut rig = Rig::new(&tree, "w", DEEP).await;
    let _open = fs::File::open(&path).unwrap();
    fs::remove_dir(&path).unwrap();
    assert_eq!(rig.rest().await, (vec![told(Deleted, "", true)], WatchEnd::Deleted));
}

#[tokio::test]
async fn only_a_directory_can_be_watched() {
    let tree = Tree::new();
    tree.file("file", "1");
    tree.link("loop", "loop");
    for (path, failure) in [
        ("none", FileFailure::Missing),
        ("file", FileFailure::NotADirectory),
        ("file/x", FileFailure::Missing),
        ("loop", FileFailure::Missing),
    ] {
        let refused = Watch::arm(tree.check(path, Read).unwrap(), FLAT).await.err();
        assert_eq!(refused, Some(WatchFailure::File(failure)), "{path}");
    }
}

#[tokio::test]
async fn a_link_to_a_directory_means_that_directory() {
    let tree = Tree::new();
    tree.dir("d");
    tree.link("d", "l");
    let mut watch = Watch::arm(tree.check("l", Read).unwrap(), FLAT).await.unwrap();
    tree.file("d/x", "1");
    let WatchStep::Changes(changes) = watch.next().await.unwrap() else { panic!("no change") };
    assert_eq!(changes[0].path, tree.at("d/x"));
}

#[tokio::test]
async fn when_the_time_is_up_what_happened_in_time_is_still_told() {
    let tree = Tree::new();
    let options = WatchOptions { timeout: Duration::ZERO, ..DEEP };
    let mut rig = Rig::new(&tree, "", options).await;
    tree.file("d/e/x", "1");
    let (changes, end) = rig.rest().await;
    assert_eq!(changes, [told(Created, "d", true), told(Created, "d/e", true), told(Created, "d/e/x", false)]);
    assert_eq!(end, WatchEnd::Timeout);
    assert_eq!(rig.step().await, WatchStep::End(WatchEnd::Timeout));
}
