//! Removing.

use std::fs;

use abxd_capabilities::files::FileFailure;
use abxd_guards::Opener;
use abxd_guards::path::{PathDenial, PathRule};

use crate::tree::{Tree, names};

const DENIED: Result<(), FileFailure> = Err(FileFailure::Denied(PathDenial::Denied));

#[test]
fn files_trees_and_odd_kinds_are_removed() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.file("f", "");
        tree.file("t/a/b/c", "");
        tree.file("t/a/d", "");
        tree.dir("t/e/f");
        tree.fifo("t/fifo");
        tree.dir("empty");
        tree.fifo("fifo");
        let _listener = std::os::unix::net::UnixListener::bind(tree.at("socket")).unwrap();
        for path in ["f", "t", "empty", "fifo", "socket"] {
            assert_eq!(tree.remove(path), Ok(()), "{path}");
        }
        assert_eq!(tree.names(""), [""; 0]);
    }
}

#[test]
fn links_are_removed_and_what_they_lead_to_stays() {
    let tree = Tree::new();
    tree.file("real", "x");
    tree.file("dir/x", "x");
    tree.link("real", "in");
    tree.link("dir", "to-dir");
    tree.link("nowhere", "dangle");
    tree.link("loop", "loop");
    tree.link("in", "chain");
    for path in ["chain", "in", "to-dir/", "dangle", "loop"] {
        assert_eq!(tree.remove(path), Ok(()), "{path}");
    }
    assert_eq!(tree.names(""), ["dir", "real"]);
    tree.link("dir", "l");
    assert_eq!(tree.remove("l/x"), Ok(()));
    assert_eq!(tree.names("dir"), [""; 0]);
}

#[test]
fn links_in_a_tree_are_never_followed() {
    let tree = Tree::new();
    fs::write(tree.outside.join("keep"), "").unwrap();
    tree.file("keep/f", "");
    tree.dir("t");
    tree.link(&tree.outside, "t/out");
    tree.link("../keep", "t/in");
    assert_eq!(tree.remove("t"), Ok(()));
    assert_eq!(names(&tree.outside), ["keep"]);
    assert_eq!(tree.names("keep"), ["f"]);
}

#[test]
fn links_that_lead_outside_are_refused_and_stay() {
    let tree = Tree::new();
    fs::write(tree.outside.join("f"), "").unwrap();
    tree.link(tree.outside.join("f"), "out");
    assert_eq!(tree.remove("out"), Err(FileFailure::Denied(PathDenial::Outside)));
    assert_eq!(tree.names(""), ["out"]);
    assert_eq!(names(&tree.outside), ["f"]);
}

#[test]
fn what_is_not_there_is_missing() {
    let tree = Tree::new();
    tree.file("file", "");
    tree.link("loop", "loop");
    for path in ["none", "none/x", "file/x", &"n".repeat(256)] {
        assert_eq!(tree.remove(path), Err(FileFailure::Missing), "{path}");
    }
}

#[test]
fn roots_stay() {
    let tree = Tree::new();
    tree.link(".", "here");
    assert_eq!(tree.remove(""), DENIED);
    assert_eq!(tree.remove("here"), DENIED);
    let all = Tree::with(PathRule { allow: vec!["/".into()], ..PathRule::default() }, Opener::detect());
    assert_eq!(all.remove("/"), DENIED);
}

#[test]
fn a_tree_with_a_denied_entry_is_left_whole() {
    let tree = Tree::denying(&["*.pem"]);
    tree.file("t/a", "");
    tree.file("t/z/s.pem", "");
    tree.file("u/a", "");
    tree.link(&tree.outside, "u/out");
    tree.file("v/a", "");
    for path in ["t", "u"] {
        assert_eq!(tree.remove(path), DENIED, "{path}");
        assert!(tree.at(path).join("a").exists());
    }
    assert_eq!(tree.remove("v"), Ok(()));
}

#[test]
fn trees_deeper_than_paths_and_descriptors_allow_are_removed() {
    let tree = Tree::new();
    let mut dir = fs::File::open(&tree.root).unwrap();
    for _ in 0..1100 {
        let mode = rustix::fs::Mode::from_raw_mode(0o777);
        rustix::fs::mkdirat(&dir, "deep", mode).unwrap();
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY;
        dir = rustix::fs::openat(&dir, "deep", flags, mode).unwrap().into();
    }
    drop(dir);
    assert_eq!(tree.remove("deep"), Ok(()));
    assert_eq!(tree.names(""), [""; 0]);
}

#[test]
fn a_large_flat_tree_is_removed_whole() {
    let tree = Tree::new();
    for number in 0..1500 {
        tree.file(&format!("t/some-file-with-a-name-{number}"), "");
    }
    for number in 0..200 {
        tree.file(&format!("t/dir-{number}/f"), "");
    }
    assert_eq!(tree.remove("t"), Ok(()));
    assert_eq!(tree.names(""), [""; 0]);
}

#[test]
fn a_tree_that_others_remove_or_fill_at_the_same_moment_goes() {
    let tree = Tree::new();
    for round in 0..10 {
        for number in 0..30 {
            tree.file(&format!("t/{number}/f"), "");
        }
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| tree.remove("t"))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(FileFailure::Missing))), "{outcomes:?}");
        assert_eq!(tree.names(""), [""; 0], "round {round}");
    }
}
