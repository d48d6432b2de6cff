//! Making directories.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Barrier;

use abxd_capabilities::files::FileFailure;
use abxd_guards::Opener;
use abxd_guards::path::PathRule;
use rustix::io::Errno;

use crate::tree::{Tree, os};

#[test]
fn directories_and_their_parents_are_made_and_existing_ones_are_fine() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        for path in ["a", "a", "b/c/d", "b/c/d", "", "b/../e"] {
            assert_eq!(tree.make_dir(path), Ok(()), "{path}");
        }
        assert!(tree.at("b/c/d").is_dir() && tree.at("e").is_dir());
        assert_eq!(fs::metadata(tree.at("a")).unwrap().permissions().mode() & 0o700, 0o700);
    }
}

#[test]
fn a_root_that_does_not_exist_is_made() {
    let tree = Tree::new();
    fs::remove_dir(&tree.root).unwrap();
    assert_eq!(tree.make_dir("x/y"), Ok(()));
    assert!(tree.at("x/y").is_dir());
    fs::remove_dir_all(&tree.root).unwrap();
    assert_eq!(tree.make_dir(""), Ok(()));
    assert!(tree.root.is_dir());
}

#[test]
fn what_is_in_the_way_gives_the_contracts_error() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.file("file", "");
        tree.link("loop", "loop");
        assert_eq!(tree.make_dir("file"), os(Errno::EXIST));
        assert_eq!(tree.make_dir("file/x"), os(Errno::NOTDIR));
        assert_eq!(tree.make_dir("file/x/y"), os(Errno::NOTDIR));
        assert_eq!(tree.make_dir("loop"), os(Errno::EXIST));
        assert_eq!(tree.make_dir("n".repeat(256)), os(Errno::NAMETOOLONG));
        assert_eq!(tree.make_dir(format!("x/{}/y", "n".repeat(256))), os(Errno::NAMETOOLONG));
    }
}

#[test]
fn dangling_links_inside_make_their_target() {
    let tree = Tree::new();
    tree.link("made/here", "dangle");
    tree.link(tree.outside.join("new"), "out");
    assert_eq!(tree.make_dir("dangle"), Ok(()));
    assert!(tree.at("made/here").is_dir());
    assert!(matches!(tree.make_dir("out"), Err(FileFailure::Denied(_))));
    assert_eq!(crate::tree::names(&tree.outside), [""; 0]);
}

#[test]
fn making_the_same_tree_at_the_same_moment_is_no_error() {
    let tree = Tree::new();
    let start = Barrier::new(4);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..200 {
                    start.wait();
                    assert_eq!(tree.make_dir(format!("{round}/a/b/c")), Ok(()));
                }
            });
        }
    });
}
