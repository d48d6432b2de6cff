//! Someone swaps what is under a path while operations run on it. Whatever the answers are, nothing outside the root may
//! be read or changed.
//!
//! `ABXD_ATTACK_SWAPS` sets how many swaps are made (100000 by default).

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use abxd_capabilities::Cancel;
use abxd_capabilities::files::{ListOptions, SearchOptions, list, search, stat};
use abxd_glob::Glob;
use abxd_guards::Opener;
use abxd_guards::path::{Access, PathRule};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::archive::reading::{self, More};
use crate::archive::{FORMATS, bytes_of, options};
use crate::tree::Tree;

/// Size of files outside; nothing inside has it.
const OUTSIDE_SIZE: usize = 4243;

fn swaps() -> usize {
    std::env::var("ABXD_ATTACK_SWAPS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000)
}

/// All that can be told of one file, its access time left out.
#[derive(Debug, PartialEq, Eq)]
struct Portrait {
    inode: u64,
    mode: u32,
    modified: (i64, i64),
    changed: (i64, i64),
    content: Vec<u8>,
}

fn picture(dir: &Path) -> BTreeMap<PathBuf, Portrait> {
    let mut seen = BTreeMap::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(path) = pending.pop() {
        let meta = fs::symlink_metadata(&path).unwrap();
        let mut content = Vec::new();
        if meta.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            content = fs::read(&path).unwrap();
        }
        let portrait = Portrait {
            inode: meta.ino(),
            mode: meta.mode(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
            content,
        };
        seen.insert(path, portrait);
    }
    seen
}

/// Outside: the names that operations inside use, and some more.
fn furnish(tree: &Tree) {
    for name in ["f", "g", "victim", "sub/f", "sub/deep/f", "outside-only"] {
        let path = tree.outside.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, vec![b'O'; OUTSIDE_SIZE]).unwrap();
    }
    for name in ["parent/f", "parent/sub/f", "last/f", "last/sub/f", "slow/f"] {
        tree.file(name, "inside");
    }
    tree.link(&tree.outside, "parent-link");
    tree.link(tree.outside.join("f"), "last/f-link");
    tree.link(tree.outside.join("sub"), "last/sub-link");
}

/// One of the attackers: swaps a pair of names over and over.
fn exchange(one: &Path, other: &Path, count: usize) {
    for _ in 0..count {
        // Operations may have removed a name for a moment.
        let _ = renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE);
    }
}

/// Another one: takes the name away and puts up a link, then a directory.
fn rebuild(dir: &Path, target: &Path, count: usize) {
    for round in 0..count {
        let _ = fs::remove_file(dir).or_else(|_| fs::remove_dir_all(dir));
        if round.is_multiple_of(2) {
            let _ = symlink(target, dir);
        } else {
            let _ = fs::create_dir(dir);
            let _ = fs::write(dir.join("f"), "inside");
        }
    }
}

/// What a victim does, round after round, with paths below `dir`.
fn operate(tree: &Tree, dir: &str, round: usize) -> usize {
    let at = |name: &str| format!("{dir}/{name}");
    let mut succeeded = 0;
    let mut count = |success: bool| succeeded += usize::from(success);
    for name in ["f", "sub/f", "victim"] {
        if let Ok(path) = tree.check(at(name), Access::Read)
            && let Ok(Some(facts)) = stat(&path)
        {
            assert_ne!(facts.size, OUTSIDE_SIZE as u64);
            count(true);
        }
        if let Ok(content) = tree.read(at(name)) {
            assert!(!content.contains(&b'O'), "{name} outside was read");
            count(true);
        }
    }
    let options = ListOptions { recursive: true, max_entries: 100, max_depth: 3 };
    if let Ok(entries) = tree.check(dir, Access::Read).map_err(Into::into).and_then(|path| list(&path, &options)) {
        assert!(entries.iter().all(|entry| entry.size != OUTSIDE_SIZE as u64 && entry.name != "outside-only"));
        assert!(entries.iter().all(|entry| entry.link.as_ref().is_none_or(|text| Path::new(text).is_relative())));
        count(true);
    }
    succeeded += gather(tree, dir);
    let mut count = |success: bool| succeeded += usize::from(success);
    count(tree.save(at("f"), b"inside", true).is_ok());
    count(tree.save(at("g"), b"new", round.is_multiple_of(2)).is_ok());
    count(tree.save(at("fresh/deep/f"), b"new", true).is_ok());
    count(tree.make_dir(at("made/deep")).is_ok());
    count(tree.make_dir(at("sub")).is_ok());
    count(tree.rename(at("g"), at("victim")).is_ok());
    count(tree.rename(at("f"), "taken").is_ok());
    count(tree.rename("taken", at("f")).is_ok());
    for name in ["victim", "made", "fresh", "g", "sub"] {
        count(tree.remove(at(name)).is_ok());
    }
    count(tree.save(at("sub/f"), b"inside", true).is_ok());
    succeeded
}

/// Searches and packs the directory.
fn gather(tree: &Tree, dir: &str) -> usize {
    let mut succeeded = 0;
    let everything = SearchOptions {
        pattern: Glob::new("*").unwrap(),
        max_depth: 5,
        max_results: 100,
        timeout: Duration::from_secs(600),
    };
    let checked = || tree.check(dir, Access::Read);
    if let Ok(path) = checked()
        && let Ok(found) = search(&path, &everything, &Cancel::new())
    {
        assert!(found.hits.iter().all(|hit| hit.name != "outside-only"));
        succeeded += 1;
    }
    for format in FORMATS {
        let Ok(bytes) = checked().map_err(drop).and_then(|path| bytes_of(&[path], &options(format)).map_err(drop))
        else {
            continue;
        };
        for member in reading::read(&bytes, format) {
            assert!(!member.content.contains(&b'O'), "a file outside was packed");
            if let More::Tar { target, .. } = member.more {
                assert!(!target.starts_with(b"/"), "a link that leads outside was packed");
            }
        }
        succeeded += 1;
    }
    succeeded
}

fn attack(opener: Opener, count: usize) {
    let tree = Tree::with(PathRule::default(), opener);
    furnish(&tree);
    let before = picture(&tree.outside);
    let running = AtomicBool::new(true);
    let succeeded = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for dir in ["parent", "last", "slow"] {
            let (tree, running, succeeded) = (&tree, &running, &succeeded);
            scope.spawn(move || {
                let mut round = 0;
                while running.load(Ordering::Relaxed) || round == 0 {
                    succeeded.fetch_add(operate(tree, dir, round), Ordering::Relaxed);
                    round += 1;
                }
            });
        }
        let tree = &tree;
        let share = count.div_ceil(3);
        let attackers = [
            scope.spawn(move || exchange(&tree.at("parent"), &tree.at("parent-link"), share)),
            scope.spawn(move || exchange(&tree.at("last/f"), &tree.at("last/f-link"), share)),
            scope.spawn(move || exchange(&tree.at("last/sub"), &tree.at("last/sub-link"), share)),
            scope.spawn(move || rebuild(&tree.at("slow"), &tree.outside, share / 10)),
        ];
        for attacker in attackers {
            attacker.join().unwrap();
        }
        running.store(false, Ordering::Relaxed);
    });
    assert_eq!(picture(&tree.outside), before);
    assert!(succeeded.into_inner() > 0, "the attack left no operation through");
}

#[test]
fn swaps_under_running_operations_reach_nothing_outside() {
    attack(Opener::detect(), swaps());
}

#[test]
fn swaps_reach_nothing_outside_without_openat2() {
    attack(Opener::Components, swaps());
}
