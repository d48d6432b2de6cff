//! What the guard refuses is invisible.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use abxd_capabilities::files::{Watch, WatchOptions, WatchStep};
use abxd_guards::Opener;
use abxd_guards::path::Access::Read;
use abxd_guards::path::{PathRule, Symlinks};

use super::rig::{Created, DEEP, Deleted, Modified, Rig, told};
use crate::tree::Tree;

#[tokio::test]
async fn denied_names_and_links_that_lead_out_are_not_told() {
    let tree = Tree::denying(&["*.pem", "d/no"]);
    tree.dir("d/no");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    tree.file("s.pem", "1");
    tree.file("d/no/x", "1");
    tree.file("e.pem/x", "1");
    tree.link(&tree.outside, "out");
    tree.link("s.pem", "to-denied");
    tree.link("/proc/self", "proc");
    tree.link("d", "in");
    assert_eq!(rig.told().await, [told(Created, "in", false)]);
    // What was judged as it came stays judged as it goes.
    tree.file("s.pem", "22");
    fs::remove_file(tree.at("s.pem")).unwrap();
    fs::remove_file(tree.at("out")).unwrap();
    fs::remove_dir_all(tree.at("e.pem")).unwrap();
    fs::remove_file(tree.at("to-denied")).unwrap();
    assert_eq!(rig.told().await, []);
}

#[tokio::test]
async fn no_link_is_told_where_none_is_followed() {
    let tree = Tree::with(PathRule { symlinks: Symlinks::Never, ..PathRule::default() }, Opener::detect());
    tree.file("a", "1");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    tree.link("a", "l");
    tree.link("nowhere", "dangling");
    tree.file("b", "1");
    assert_eq!(rig.told().await, [told(Created, "b", false)]);
}

#[tokio::test]
async fn a_file_that_a_hidden_link_takes_the_place_of_has_gone() {
    let tree = Tree::new();
    tree.file("a", "1");
    let mut rig = Rig::new(&tree, "", DEEP).await;
    tree.link(&tree.outside, ".tmp");
    assert_eq!(rig.told().await, []);
    fs::rename(tree.at(".tmp"), tree.at("a")).unwrap();
    assert_eq!(rig.told().await, [told(Deleted, "a", false)]);
    tree.file("b", "1");
    fs::rename(tree.at("b"), tree.at("a")).unwrap();
    let changes = rig.told().await;
    assert!(changes.contains(&told(Created, "a", false)), "{changes:?}");
    assert!(!changes.contains(&told(Modified, "a", false)), "{changes:?}");
}

/// Turns `dir` into a link to the directory `outside` and back, writing there all the time, until it is told to stop.
fn swap(dir: &Path, outside: &Path, stop: &AtomicBool) {
    let aside = dir.with_file_name("aside");
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        fs::rename(dir, &aside).unwrap();
        std::os::unix::fs::symlink(outside, dir).unwrap();
        fs::write(outside.join(format!("secret{}", number % 50)), "1").unwrap();
        fs::remove_file(dir).unwrap();
        fs::rename(&aside, dir).unwrap();
        number += 1;
    }
}

#[tokio::test]
async fn a_directory_that_keeps_turning_into_a_link_outside_gives_nothing_away() {
    let tree = Arc::new(Tree::new());
    let dir = tree.dir("d");
    let stop = Arc::new(AtomicBool::new(false));
    let swapping = {
        let (tree, stop) = (Arc::clone(&tree), Arc::clone(&stop));
        tokio::task::spawn_blocking(move || swap(&dir, &tree.outside, &stop))
    };
    let options = WatchOptions { timeout: Duration::from_millis(20), ..DEEP };
    for path in ["", "d"].repeat(10) {
        let Ok(checked) = tree.check(path, Read) else { continue };
        let Ok(mut watch) = Watch::arm(checked, options).await else { continue };
        while let WatchStep::Changes(changes) = watch.next().await.unwrap() {
            for change in changes {
                assert!(!change.path.to_string_lossy().contains("secret"), "{change:?}");
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    swapping.await.unwrap();
}
