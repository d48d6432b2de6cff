//! What the guard refuses is invisible.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use abxd_guards::Opener;
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

#[tokio::test]
async fn a_directory_that_keeps_turning_into_a_link_outside_gives_nothing_away() {
    let tree = Tree::new();
    tree.dir("d/in");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (dir, aside) = (tree.at("d"), tree.at(".aside"));
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                fs::rename(&dir, &aside).unwrap();
                std::os::unix::fs::symlink(&tree.outside, &dir).unwrap();
                fs::write(tree.outside.join(format!("secret{}", number % 50)), "1").unwrap();
                fs::remove_file(&dir).unwrap();
                fs::rename(&aside, &dir).unwrap();
                number += 1;
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for _ in 0..5 {
                // The root itself is what is swapped, then a directory below it.
                for path in ["", "d"] {
                    let Ok(checked) = tree.check(path, abxd_guards::path::Access::Read) else { continue };
                    let options = abxd_capabilities::files::WatchOptions {
                        timeout: std::time::Duration::from_millis(20),
                        ..DEEP
                    };
                    let Ok(mut watch) = abxd_capabilities::files::Watch::arm(checked, options).await else { continue };
                    while let abxd_capabilities::files::WatchStep::Changes(changes) = watch.next().await.unwrap() {
                        for change in changes {
                            assert!(!change.path.to_string_lossy().contains("secret"), "{change:?}");
                        }
                    }
                }
            }
        });
        stop.store(true, Ordering::Relaxed);
    });
}
