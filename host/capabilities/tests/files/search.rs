//! Searching by name.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use abxd_capabilities::Cancel;
use abxd_capabilities::files::{FileFailure, Found, SearchOptions, search};
use abxd_glob::Glob;
use abxd_guards::Opener;
use abxd_guards::path::Access::Read;
use abxd_guards::path::{PathRule, Symlinks};

use crate::tree::Tree;

fn options(pattern: &str) -> SearchOptions {
    SearchOptions {
        pattern: Glob::new(pattern).unwrap(),
        max_depth: 5,
        max_results: 100_000,
        timeout: Duration::from_secs(600),
    }
}

fn find(tree: &Tree, options: &SearchOptions) -> Found {
    search(&tree.check("", Read).unwrap(), options, &Cancel::new()).unwrap()
}

/// The paths of the results, below the root.
fn paths(tree: &Tree, options: &SearchOptions) -> BTreeSet<String> {
    let hits = find(tree, options).hits;
    for hit in &hits {
        assert_eq!(Some(hit.name.as_os_str()), hit.path.file_name());
    }
    let below = |hit: &abxd_capabilities::files::Hit| hit.path.strip_prefix(&tree.root).unwrap().to_owned();
    hits.iter().map(|hit| below(hit).to_string_lossy().into_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn only_last_components_are_matched() {
    let tree = Tree::new();
    for file in ["a.py", "d/b.py", "d/py.txt", "d/e.py/c.txt", ".hid.py", "A.PY", "[x", "é.py"] {
        tree.file(file, "py");
    }
    for (pattern, found) in [
        ("*.py", &["a.py", "d/b.py", ".hid.py", "é.py"][..]),
        ("?.py", &["a.py", "d/b.py", "é.py"]),
        ("[ab].py", &["a.py", "d/b.py"]),
        ("[!a].py", &["d/b.py", "é.py"]),
        ("[b-z]*", &["d/b.py", "d/py.txt", "d/e.py/c.txt"]),
        ("[x", &["[x"]),
        ("a.py", &["a.py"]),
        ("d", &[]),
        ("d/b.py", &[]),
        ("d/*", &[]),
        ("[d/]*", &[]),
        ("*/*", &[]),
    ] {
        assert_eq!(paths(&tree, &options(pattern)), set(found), "{pattern}");
    }
}

#[test]
fn directories_and_links_to_them_are_no_results_all_else_is() {
    let tree = Tree::new();
    tree.dir("x-dir");
    tree.file("x-file", "");
    tree.fifo("x-fifo");
    let _socket = std::os::unix::net::UnixListener::bind(tree.at("x-socket")).unwrap();
    tree.link("x-file", "x-to-file");
    tree.link("x-dir", "x-to-dir");
    tree.link("x-to-dir", "x-chain-to-dir");
    tree.link("nowhere", "x-dangling");
    tree.link("x-loop", "x-loop");
    tree.link("x-fifo", "x-to-fifo");
    let found = set(&["x-file", "x-fifo", "x-socket", "x-to-file", "x-dangling", "x-loop", "x-to-fifo"]);
    assert_eq!(paths(&tree, &options("x-*")), found);
}

#[test]
fn what_the_guard_refuses_is_neither_found_nor_entered() {
    let tree = Tree::denying(&["*.pem", "no"]);
    for file in ["a.pem", "no/b", "d/no/c", "d/yes", "d/x.pem/y"] {
        tree.file(file, "");
    }
    tree.link("d/yes", "in");
    tree.link("d/no/c", "to-denied");
    tree.link(&tree.outside, "out");
    fs::write(tree.outside.join("f"), "").unwrap();
    tree.link(tree.outside.join("f"), "out-file");
    tree.link(tree.outside.join("none"), "out-dangling");
    tree.link("/proc/self/environ", "proc");
    assert_eq!(paths(&tree, &options("*")), set(&["d/yes", "in"]));
    let never = Tree::with(PathRule { symlinks: Symlinks::Never, ..PathRule::default() }, Opener::detect());
    never.file("yes", "");
    never.link("yes", "in");
    assert_eq!(paths(&never, &options("*")), set(&["yes"]));
}

#[test]
fn linked_directories_are_not_entered() {
    let tree = Tree::new();
    tree.file("d/x", "");
    tree.link("d", "l");
    tree.link("..", "d/up");
    assert_eq!(paths(&tree, &options("x")), set(&["d/x"]));
}

#[test]
fn a_directory_is_searched_if_its_depth_is_less_than_the_cap() {
    let tree = Tree::new();
    for file in ["f0", "1/f1", "1/2/f2", "1/2/3/f3"] {
        tree.file(file, "");
    }
    for (max_depth, found) in [
        (0, &[][..]),
        (1, &["f0"]),
        (2, &["f0", "1/f1"]),
        (3, &["f0", "1/f1", "1/2/f2"]),
        (4, &["f0", "1/f1", "1/2/f2", "1/2/3/f3"]),
        (usize::MAX, &["f0", "1/f1", "1/2/f2", "1/2/3/f3"]),
    ] {
        assert_eq!(paths(&tree, &SearchOptions { max_depth, ..options("f*") }), set(found), "{max_depth}");
    }
}

#[test]
fn files_of_a_directory_come_before_those_below_it() {
    let tree = Tree::new();
    for name in 0..40 {
        tree.file(&format!("f{name}"), "");
        tree.file(&format!("d{name}/f"), "");
        tree.file(&format!("d{name}/e/f"), "");
    }
    let hits = find(&tree, &options("f*")).hits;
    let depths: Vec<_> = hits.iter().map(|hit| hit.path.strip_prefix(&tree.root).unwrap().iter().count()).collect();
    assert_eq!(depths.len(), 120);
    assert_eq!(depths[..40], [1; 40]);
    assert_eq!(depths[40..], [2, 3].repeat(40));
    let read: Vec<_> = fs::read_dir(&tree.root).unwrap().map(|entry| entry.unwrap()).collect();
    let order = |directories: bool| {
        let kept = read.iter().filter(move |entry| entry.file_type().unwrap().is_dir() == directories);
        kept.map(fs::DirEntry::file_name).collect::<Vec<_>>()
    };
    assert_eq!(hits[..40].iter().map(|hit| hit.name.clone()).collect::<Vec<_>>(), order(false));
    let directories =
        hits[40..].iter().step_by(2).map(|hit| hit.path.parent().unwrap().file_name().unwrap().to_owned());
    assert_eq!(directories.collect::<Vec<_>>(), order(true));
}

#[test]
fn the_cap_is_exact_in_directories_of_several_batches() {
    let tree = Tree::new();
    for number in 0..2500 {
        let below = if number % 2 == 0 { "" } else { "a-directory/" };
        tree.file(&format!("{below}a-rather-long-name-of-a-file-{number}"), "");
    }
    for (max_results, count) in [(0, 0), (1, 1), (1250, 1250), (1251, 1251), (2499, 2499), (9999, 2500)] {
        let found = find(&tree, &SearchOptions { max_results, ..options("*-file-*") });
        assert_eq!((found.hits.len(), found.timed_out), (count, false));
        let names: BTreeSet<_> = found.hits.iter().map(|hit| &hit.name).collect();
        assert_eq!(names.len(), count);
    }
}

#[test]
fn a_tree_deeper_than_the_kept_descriptors_is_searched_whole() {
    let tree = Tree::new();
    let depth = 150;
    for level in [0, 1, 31, 32, 33, 34, 100, depth] {
        tree.file(&format!("{}f{level}", "d/".repeat(level)), "");
        tree.file(&format!("{}e/f{level}", "d/".repeat(level)), "");
    }
    let found = find(&tree, &SearchOptions { max_depth: 1000, ..options("f*") });
    assert_eq!(found.hits.len(), 16);
}

#[test]
fn time_that_is_up_ends_the_walk_with_what_was_found() {
    let tree = Tree::new();
    tree.file("f", "");
    let found = find(&tree, &SearchOptions { timeout: Duration::ZERO, ..options("*") });
    assert_eq!(found, Found { hits: vec![], timed_out: true });
    let cancel = Cancel::new();
    cancel.cancel();
    let found = search(&tree.check("", Read).unwrap(), &options("*"), &cancel).unwrap();
    assert!(found.hits.is_empty() && found.timed_out);
    let found = find(&tree, &SearchOptions { timeout: Duration::MAX, ..options("*") });
    assert_eq!((found.hits.len(), found.timed_out), (1, false));
}

#[test]
fn names_that_are_not_utf8_are_matched_as_their_text_reads() {
    let tree = Tree::new();
    let name = OsString::from_vec(b"bad\xff.txt".to_vec());
    fs::write(tree.at(&name), "").unwrap();
    for pattern in ["bad*", "bad?.txt", "*.txt"] {
        let hits = find(&tree, &options(pattern)).hits;
        assert_eq!(hits.len(), 1, "{pattern}");
        assert_eq!(hits[0].name, name);
        assert!(hits[0].path.as_os_str().as_bytes().ends_with(b"/bad\xff.txt"));
    }
}

#[test]
fn unfinished_files_are_not_found() {
    let tree = Tree::new();
    tree.file(".abxd-tmp-0123456789abcdef", "");
    tree.file(".abxd-tmp-fedcba9876543210/inner", "");
    tree.file(".abxd-tmp-mine", "");
    assert_eq!(paths(&tree, &options("*")), set(&[".abxd-tmp-mine"]));
}

#[test]
fn only_directories_can_be_searched() {
    let tree = Tree::new();
    tree.file("file", "");
    tree.link("loop", "loop");
    tree.file("d/x", "");
    tree.link("d", "to-d");
    let run = |path: &str| search(&tree.check(path, Read).unwrap(), &options("*"), &Cancel::new());
    assert_eq!(run("file"), Err(FileFailure::NotADirectory));
    for path in ["none", "file/x", "loop"] {
        assert!(matches!(run(path), Err(FileFailure::Missing | FileFailure::NotADirectory)), "{path}");
    }
    assert_eq!(run("to-d").unwrap().hits[0].path, tree.at("d/x"));
    // Whatever the options leave to be done.
    let nothing = SearchOptions { max_depth: 0, max_results: 0, ..options("a/b") };
    assert_eq!(search(&tree.check("none", Read).unwrap(), &nothing, &Cancel::new()), Err(FileFailure::Missing));
}

/// A yardstick, not a limit: run with `--ignored --nocapture` and `--release`.
#[test]
#[ignore = "prints a measurement"]
fn measure_ten_thousand_files() {
    for patterns in [&[][..], &["*.pem", "**/.ssh", "/srv/secret"]] {
        let tree = Tree::denying(patterns);
        for number in 0..10_000 {
            tree.file(&format!("d{}/file-{number}.txt", number % 100), "x");
        }
        for pattern in ["*.txt", "file-77*"] {
            let start = std::time::Instant::now();
            let found = find(&tree, &options(pattern)).hits.len();
            println!("search, {} patterns, {pattern}: {found} in {:?}", patterns.len(), start.elapsed());
        }
    }
}
