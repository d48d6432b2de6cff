//! Listing directories.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;

use abxd_capabilities::files::{FileFailure, ListEntry, ListOptions, list};
use abxd_guards::Opener;
use abxd_guards::path::Access::Read;
use abxd_guards::path::{PathRule, Symlinks};

use crate::tree::Tree;

fn names(entries: &[ListEntry]) -> BTreeSet<String> {
    entries.iter().map(|entry| entry.name.to_string_lossy().into_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn entries_carry_kind_size_time_and_link_text() {
    let tree = Tree::new();
    tree.dir("d/sub");
    tree.file("d/a.txt", "12345");
    tree.file("d/.hidden", "");
    tree.fifo("d/fifo");
    tree.link("sub", "d/ln_dir");
    tree.link("nowhere", "d/dangle");
    tree.link("ln_loop", "d/ln_loop");
    let entries = tree.list("d").unwrap();
    assert_eq!(names(&entries), set(&["sub", "a.txt", ".hidden", "fifo", "ln_dir", "dangle", "ln_loop"]));
    for entry in entries {
        let meta = fs::symlink_metadata(tree.at("d").join(&entry.name)).unwrap();
        assert_eq!(entry.is_directory, meta.is_dir());
        assert_eq!(entry.size, meta.len());
        assert_eq!((entry.modified.secs, i64::from(entry.modified.nanos)), {
            use std::os::unix::fs::MetadataExt;
            (meta.mtime(), meta.mtime_nsec())
        });
        let text = fs::read_link(tree.at("d").join(&entry.name)).ok().map(OsString::from);
        assert_eq!(entry.link, text);
    }
}

#[test]
fn what_the_guard_refuses_is_left_out() {
    let tree = Tree::denying(&["*.pem", "d/no"]);
    tree.file("d/s.pem", "");
    tree.file("d/no/x", "");
    tree.file("d/yes", "");
    tree.link("yes", "d/in");
    tree.link("s.pem", "d/to-denied");
    tree.link("yes", "d/named.pem");
    tree.link(&tree.outside, "d/out");
    tree.link("/proc/self", "d/proc");
    tree.link("loop", "d/loop");
    assert_eq!(names(&tree.list("d").unwrap()), set(&["yes", "in", "loop"]));
    let never = Tree::with(PathRule { symlinks: Symlinks::Never, ..PathRule::default() }, Opener::detect());
    never.file("yes", "");
    never.link("yes", "in");
    never.link("nowhere", "dangle");
    assert_eq!(names(&never.list("").unwrap()), set(&["yes"]));
}

#[test]
fn the_systems_trees_are_left_out_below_a_root_of_everything() {
    let tree = Tree::with(PathRule { allow: vec!["/".into()], ..PathRule::default() }, Opener::detect());
    let listed = names(&tree.list("/").unwrap());
    assert!(listed.contains("etc"));
    for name in ["proc", "sys", "dev"] {
        assert!(!listed.contains(name), "{name}");
    }
}

#[test]
fn recursion_is_pre_order_and_stops_at_the_depth() {
    let tree = Tree::new();
    tree.dir("lv/1/2/3/4/5");
    tree.link("1", "lv/l");
    let mut options = ListOptions { recursive: true, max_entries: 1000, max_depth: 3 };
    let top = tree.check("lv", Read).unwrap();
    let mut listed: Vec<_> = list(&top, &options).unwrap().into_iter().map(|entry| entry.name).collect();
    listed.retain(|name| name != "l");
    assert_eq!(listed, ["1", "2", "3"]);
    options.max_depth = 1;
    assert_eq!(names(&list(&top, &options).unwrap()), set(&["1", "l"]));
    options.max_depth = 100;
    assert_eq!(names(&list(&top, &options).unwrap()), set(&["1", "2", "3", "4", "5", "l"]));
}

#[test]
fn children_follow_their_directory_at_once() {
    let tree = Tree::new();
    for outer in 0..40 {
        for inner in 0..3 {
            tree.file(&format!("d{outer}/f{outer}-{inner}"), "");
        }
    }
    let options = ListOptions { recursive: true, max_entries: 1000, max_depth: 3 };
    let entries = list(&tree.check("", Read).unwrap(), &options).unwrap();
    assert_eq!(entries.len(), 160);
    for group in entries.chunks(4) {
        let directory = group[0].name.to_string_lossy();
        assert!(group[0].is_directory);
        let prefix = format!("{}-", directory.replace('d', "f"));
        assert!(group[1..].iter().all(|entry| entry.name.to_string_lossy().starts_with(&prefix)));
    }
}

#[test]
fn a_tree_deeper_than_the_kept_descriptors_is_listed_whole() {
    let tree = Tree::new();
    let depth = 200;
    tree.dir(&"d/".repeat(depth));
    for level in [1, 32, 33, 34, 100, depth] {
        tree.file(&format!("{}f{level}", "d/".repeat(level)), "");
    }
    let options = ListOptions { recursive: true, max_entries: 10_000, max_depth: 1000 };
    let entries = list(&tree.check("", Read).unwrap(), &options).unwrap();
    assert_eq!(entries.len(), depth + 6);
}

#[test]
fn the_cap_is_exact_and_directories_of_several_batches_are_read_whole() {
    let tree = Tree::new();
    for number in 0..1500 {
        fs::write(tree.at(format!("a-rather-long-name-of-a-file-{number}")), "").unwrap();
    }
    let top = tree.check("", Read).unwrap();
    for (cap, expected) in [(0, 0), (1, 1), (1000, 1000), (1499, 1499), (1500, 1500), (5000, 1500)] {
        let options = ListOptions { recursive: true, max_entries: cap, max_depth: 3 };
        let entries = list(&top, &options).unwrap();
        assert_eq!(entries.len(), expected);
        assert_eq!(names(&entries).len(), expected);
    }
}

#[test]
fn only_directories_can_be_listed() {
    let tree = Tree::new();
    tree.file("file", "");
    tree.fifo("fifo");
    tree.link("loop", "loop");
    assert_eq!(tree.list("file"), Err(FileFailure::NotADirectory));
    assert_eq!(tree.list("fifo"), Err(FileFailure::NotADirectory));
    for path in ["none", "file/x", "loop"] {
        assert!(matches!(tree.list(path), Err(FileFailure::Missing | FileFailure::NotADirectory)), "{path}");
    }
    assert_eq!(tree.list(""), tree.list("."));
}

#[test]
fn unfinished_files_are_not_shown() {
    let tree = Tree::new();
    tree.file(".abxd-tmp-0123456789abcdef", "");
    tree.file(".abxd-tmp-mine", "");
    assert_eq!(names(&tree.list("").unwrap()), set(&[".abxd-tmp-mine"]));
}

/// Nanoseconds that this thread has computed, whatever else the machine does.
fn cpu_time() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

/// A yardstick, not a limit: run with `--ignored --nocapture` and `--release`.
#[test]
#[ignore = "prints a measurement"]
fn measure_a_thousand_entries() {
    let rounds = 200;
    for patterns in [&[][..], &["*.pem", "**/.ssh", "/srv/secret"]] {
        let tree = Tree::denying(patterns);
        for number in 0..1000 {
            tree.file(&format!("file-{number}"), "x");
        }
        let start = cpu_time();
        for _ in 0..rounds {
            assert_eq!(tree.list("").unwrap().len(), 1000);
        }
        println!("list, {} patterns: {} µs", patterns.len(), (cpu_time() - start) / rounds / 1000);
    }
    let rounds = 100_000;
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.file("a/b.txt", "x");
        tree.link("b.txt", "a/l");
        for path in ["a/b.txt", "a/none", "a/l"] {
            let start = cpu_time();
            for _ in 0..rounds {
                abxd_capabilities::files::stat(&tree.check(path, Read).unwrap()).unwrap();
            }
            println!("stat {path}, {opener:?}: {} ns", (cpu_time() - start) / rounds);
        }
    }
}
