//! More changes than anybody reads.

use std::fs;

use abxd_capabilities::files::WatchStep;

use super::rig::{Created, DEEP, FLAT, Rig, told};
use crate::tree::Tree;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_ten_thousand_files_made_in_a_burst_none_is_missed() {
    let tree = Tree::new();
    let mut rig = Rig::new(&tree, "", FLAT).await;
    let top = tree.root.clone();
    let made = tokio::task::spawn_blocking(move || {
        for number in 0..10_000 {
            fs::write(top.join(format!("f{number}")), "x").unwrap();
        }
    });
    let mut created = 0;
    while created < 10_000 {
        let WatchStep::Changes(changes) = rig.step().await else { panic!("ended") };
        created += changes.iter().filter(|change| change.kind == Created).count();
    }
    made.await.unwrap();
    rig.assert_complete();
}

#[tokio::test]
async fn what_overflows_the_queue_is_found_by_reading_again() {
    let tree = Tree::new();
    for number in 0..100 {
        tree.file(&format!("d/keep{number}"), "1");
        tree.file(&format!("d/go{number}"), "1");
    }
    let mut rig = Rig::new(&tree, "", DEEP).await;
    // Nobody reads: the kernel's queue holds 16384 notices by default, each file makes two or three.
    for number in 0..6_000 {
        fs::write(tree.at(format!("f{number}")), "x").unwrap();
    }
    for number in 0..100 {
        fs::remove_file(tree.at(format!("d/go{number}"))).unwrap();
        fs::write(tree.at(format!("d/keep{number}")), "22").unwrap();
        tree.file(&format!("new{number}/in/x"), "1");
    }
    let changes = rig.told_until_complete().await;
    for number in 0..100 {
        let keep = format!("d/keep{number}");
        assert!(changes.contains(&told(super::rig::Modified, &keep, false)), "{keep}");
    }
}

#[tokio::test]
async fn a_large_tree_that_comes_or_goes_is_told_in_pieces() {
    let tree = Tree::new();
    let away = tree.outside.join("t");
    for dir in 0..20 {
        fs::create_dir_all(away.join(format!("d{dir}"))).unwrap();
        for file in 0..250 {
            fs::write(away.join(format!("d{dir}/f{file}")), "").unwrap();
        }
    }
    let mut rig = Rig::new(&tree, "", DEEP).await;
    for (from, to) in [(away.clone(), tree.at("t")), (tree.at("t"), away)] {
        fs::rename(from, to).unwrap();
        let mut seen = 0;
        while seen < 1 + 20 + 20 * 250 {
            let WatchStep::Changes(changes) = rig.step().await else { panic!("ended") };
            assert!(changes.len() < 1000, "{} at once", changes.len());
            seen += changes.len();
        }
        rig.assert_complete();
    }
}
