//! Whatever is done to a tree: what is told adds up to what is there. (The rig checks each change on its own.)

use std::fs;
use std::path::PathBuf;

use abxd_capabilities::files::{Notifier, WatchOptions};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::rig::{DEEP, Rig};
use crate::tree::Tree;

/// A sequence of numbers that is the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// A path of one to six components of few names, so that operations meet.
    fn path(&mut self, tree: &Tree) -> PathBuf {
        let mut path = tree.root.clone();
        for _ in 0..=self.roll(6) {
            path.push(["a", "b", "c"][usize::try_from(self.roll(3)).unwrap()]);
        }
        path
    }
}

/// One operation; that it may fail is part of it.
fn act(dice: &mut Dice, tree: &Tree) -> std::io::Result<()> {
    let (one, other) = (dice.path(tree), dice.path(tree));
    match dice.roll(12) {
        0..=2 => fs::create_dir_all(&one),
        3..=4 => fs::write(&one, "content"),
        5 => fs::remove_file(&one),
        6 => fs::remove_dir_all(&one),
        7..=8 => fs::rename(&one, &other),
        9 => Ok(renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE)?),
        10 => std::os::unix::fs::symlink("a", &one),
        _ => fs::rename(&one, tree.outside.join("x")).or_else(|_| fs::rename(tree.outside.join("x"), &one)),
    }
}

async fn replay(options: WatchOptions, seed: u64, rounds: u64, at_once: u64) {
    let tree = Tree::new();
    let mut dice = Dice(seed);
    for _ in 0..30 {
        let _ = act(&mut dice, &tree);
    }
    let mut rig = Rig::new(&tree, "", options).await;
    for _ in 0..rounds {
        for _ in 0..dice.roll(at_once) {
            let _ = act(&mut dice, &tree);
        }
        rig.told().await;
        rig.assert_complete();
    }
}

#[tokio::test]
async fn told_by_the_kernel() {
    for seed in 0..10 {
        replay(DEEP, seed, 30, 30).await;
    }
}

#[tokio::test]
async fn told_by_looks() {
    for seed in 0..3 {
        replay(WatchOptions { notifier: Notifier::Interval, ..DEEP }, seed, 10, 30).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_while_it_goes_on() {
    for seed in 0..3 {
        let tree = std::sync::Arc::new(Tree::new());
        let mut rig = Rig::new(&tree, "", DEEP).await;
        let busy = std::sync::Arc::clone(&tree);
        let acting = tokio::task::spawn_blocking(move || {
            let mut dice = Dice(seed);
            for _ in 0..2000 {
                let _ = act(&mut dice, &busy);
            }
        });
        while !acting.is_finished() {
            rig.told().await;
        }
        acting.await.unwrap();
        rig.told_until_complete().await;
    }
}
