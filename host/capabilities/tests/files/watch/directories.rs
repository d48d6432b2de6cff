//! Directories below the watched one.

use std::fs;

use super::rig::{Created, DEEP, Deleted, Modified, Rig, Told, told};
use crate::tree::Tree;

fn sorted(mut changes: Vec<Told>) -> Vec<Told> {
    changes.sort_by(|(_, one, _), (_, other, _)| one.cmp(other));
    changes
}

#[tokio::test]
async fn what_follows_a_new_directory_at_once_is_told_once_and_after_it() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", DEEP).await;
    for round in 0..100 {
        tree.file(&format!("r{round}/d1/d2/x"), "1");
        tree.file(&format!("r{round}/d1/y"), "1");
    }
    // The rig sees to it that nothing is told twice and no child before its parent.
    let changes = rig.told().await;
    let created = changes.iter().filter(|(kind, ..)| *kind == Created).count();
    assert_eq!(created, 100 * 5);
    rig.assert_complete();
}

#[tokio::test]
async fn a_tree_that_moves_in_is_told_whole() {
    let tree = Tree::new();
    let away = tree.outside.join("t");
    fs::create_dir_all(away.join("a/b")).unwrap();
    fs::write(away.join("a/b/x"), "1").unwrap();
    let mut rig = Rig::new(&tree, "", DEEP).await;
    fs::rename(&away, tree.at("t")).unwrap();
    let expected = [
        told(Created, "t", true),
        told(Created, "t/a", true),
        told(Created, "t/a/b", true),
        told(Created, "t/a/b/x", false),
    ];
    assert_eq!(rig.told().await, expected);
    tree.file("t/a/b/y", "1");
    assert_eq!(rig.told().await, [told(Created, "t/a/b/y", false)]);
}

#[tokio::test]
async fn a_tree_that_moves_out_is_told_whole_and_then_left_alone() {
    let tree = Tree::new();
    tree.file("t/a/x", "1");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    let away = tree.outside.join("t");
    fs::rename(tree.at("t"), &away).unwrap();
    fs::write(away.join("a/later"), "1").unwrap();
    fs::write(away.join("a/x"), "22").unwrap();
    let expected = [told(Deleted, "t", true), told(Deleted, "t/a", true), told(Deleted, "t/a/x", false)];
    assert_eq!(sorted(rig.told().await), expected);
    fs::write(away.join("a/later still"), "1").unwrap();
    assert_eq!(rig.told().await, []);
}

#[tokio::test]
async fn a_tree_that_moves_inside_is_watched_on() {
    let tree = Tree::new();
    tree.file("t/a/x", "1");
    tree.dir("to");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    fs::rename(tree.at("t"), tree.at("to/u")).unwrap();
    tree.file("to/u/a/flash", "1");
    fs::remove_file(tree.at("to/u/a/flash")).unwrap();
    let changes = rig.told().await;
    for (kind, path, is_dir) in [
        (Deleted, "t", true),
        (Deleted, "t/a", true),
        (Deleted, "t/a/x", false),
        (Created, "to/u", true),
        (Created, "to/u/a", true),
        (Created, "to/u/a/x", false),
        (Created, "to/u/a/flash", false),
        (Deleted, "to/u/a/flash", false),
    ] {
        assert!(changes.contains(&told(kind, path, is_dir)), "{path} in {changes:?}");
    }
    rig.assert_complete();
    tree.file("to/u/a/y", "1");
    assert_eq!(rig.told().await, [told(Created, "to/u/a/y", false)]);
}

#[tokio::test]
async fn a_tree_that_goes_is_told_with_all_that_was_known_of_it() {
    let tree = Tree::new();
    tree.file("t/a/x", "1");
    tree.file("t/y", "1");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    fs::remove_dir_all(tree.at("t")).unwrap();
    let expected = [
        told(Deleted, "t", true),
        told(Deleted, "t/a", true),
        told(Deleted, "t/a/x", false),
        told(Deleted, "t/y", false),
    ];
    assert_eq!(sorted(rig.told().await), expected);
}

#[tokio::test]
async fn entries_are_told_down_to_depth_five() {
    let tree = Tree::new();
    tree.dir("1/2/3/4/5");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    tree.file("1/2/3/4/5/six", "1");
    tree.file("1/2/3/4/five", "1");
    assert_eq!(rig.told().await, [told(Created, "1/2/3/4/five", false)]);
    tree.file("a/2/3/4/5/6", "1");
    let paths: Vec<_> = rig.told().await.into_iter().map(|(_, path, _)| path).collect();
    assert_eq!(paths, ["a", "a/2", "a/2/3", "a/2/3/4", "a/2/3/4/5"]);
}

#[tokio::test]
async fn a_move_upwards_shows_what_was_too_deep_and_downwards_hides_it() {
    let tree = Tree::new();
    tree.dir("1/2/3/4/5/6");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    fs::rename(tree.at("1/2/3/4"), tree.at("4")).unwrap();
    assert!(rig.told().await.contains(&told(Created, "4/5/6", true)));
    rig.assert_complete();
    fs::rename(tree.at("4"), tree.at("1/2/3/4")).unwrap();
    assert!(!rig.told().await.is_empty());
    rig.assert_complete();
}

#[tokio::test]
async fn a_directory_renamed_onto_an_empty_one_modifies_it_and_shows_its_content() {
    let tree = Tree::new();
    tree.file("a/x", "1");
    tree.dir("b");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    fs::rename(tree.at("a"), tree.at("b")).unwrap();
    let changes = rig.told().await;
    assert!(changes.contains(&told(Modified, "b", true)), "{changes:?}");
    assert!(changes.contains(&told(Created, "b/x", false)), "{changes:?}");
    rig.assert_complete();
    tree.file("b/y", "1");
    assert_eq!(rig.told().await, [told(Created, "b/y", false)]);
}

#[tokio::test]
async fn a_directory_that_comes_back_is_watched_anew() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", DEEP).await;
    for _ in 0..50 {
        tree.dir("d/e");
        fs::remove_dir_all(tree.at("d")).unwrap();
    }
    tree.dir("d/e");
    assert!(!rig.told().await.is_empty());
    rig.assert_complete();
    tree.file("d/e/x", "1");
    assert_eq!(rig.told().await, [told(Created, "d/e/x", false)]);
}

#[tokio::test]
async fn a_directory_mounted_twice_or_moved_late_is_told_under_each_name() {
    let tree = Tree::new();
    tree.dir("d");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    // The reading of `new` meets `d` in it before the notice of the move is read.
    tree.dir("new");
    fs::rename(tree.at("d"), tree.at("new/d")).unwrap();
    assert!(!rig.told().await.is_empty());
    rig.assert_complete();
    tree.file("new/d/flash", "1");
    fs::remove_file(tree.at("new/d/flash")).unwrap();
    let flash = "new/d/flash";
    assert_eq!(rig.told().await, [told(Created, flash, false), told(Deleted, flash, false)]);
}
