//! Moving.

use std::fs;

use abxd_capabilities::files::FileFailure;
use abxd_guards::Opener;
use abxd_guards::path::{PathDenial, PathRule};
use rustix::io::Errno;

use crate::tree::{Tree, names, os};

fn text(tree: &Tree, path: &str) -> String {
    fs::read_to_string(tree.at(path)).unwrap()
}

#[test]
fn files_and_directories_move_to_a_free_place_whose_parents_are_made() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.file("f", "f");
        tree.file("d/x", "x");
        assert_eq!(tree.rename("f", "new/deep/g"), Ok(()));
        assert_eq!(tree.rename("d", "new/e"), Ok(()));
        assert_eq!(text(&tree, "new/deep/g"), "f");
        assert_eq!(text(&tree, "new/e/x"), "x");
        assert_eq!(tree.names(""), ["new"]);
    }
}

#[test]
fn a_directory_as_destination_is_moved_into() {
    let tree = Tree::new();
    tree.file("f", "f");
    tree.dir("dir2");
    tree.link("dir2", "to-dir");
    assert_eq!(tree.rename("f", "dir2"), Ok(()));
    assert_eq!(tree.names("dir2"), ["f"]);
    tree.file("g", "g");
    assert_eq!(tree.rename("g", "to-dir"), Ok(()));
    assert_eq!(tree.names("dir2"), ["f", "g"]);
    tree.file("f", "again");
    assert_eq!(tree.rename("f", "dir2"), Err(FileFailure::InnerTaken));
    assert_eq!(text(&tree, "dir2/f"), "f");
    tree.link("nowhere", "dir2/h");
    tree.file("h", "h");
    assert_eq!(tree.rename("h", "dir2"), Err(FileFailure::InnerTaken));
    assert_eq!(tree.rename("dir2/f", "dir2"), Err(FileFailure::InnerTaken));
}

#[test]
fn the_place_inside_the_destination_directory_is_judged_too() {
    let tree = Tree::denying(&["safe/secret"]);
    tree.file("secret", "s");
    tree.dir("safe");
    assert_eq!(tree.rename("secret", "safe"), Err(FileFailure::Denied(PathDenial::Denied)));
    assert_eq!(tree.names("safe"), [""; 0]);
    tree.file("f", "f");
    tree.link(tree.outside.join("f"), "safe/f");
    assert_eq!(tree.rename("f", "safe"), Err(FileFailure::Denied(PathDenial::Outside)));
}

#[test]
fn a_file_replaces_a_file_and_nothing_else_is_replaced() {
    let tree = Tree::new();
    tree.file("f", "new");
    tree.file("g", "old");
    tree.dir("d/sub");
    assert_eq!(tree.rename("f", "g"), Ok(()));
    assert_eq!(text(&tree, "g"), "new");
    assert_eq!(tree.rename("d", "g"), os(Errno::EXIST));
    assert_eq!(tree.rename("d", "d/sub/x"), Err(FileFailure::IntoItself));
    assert_eq!(tree.rename("d", "d/sub"), Err(FileFailure::IntoItself));
    assert_eq!(tree.rename("d", "d"), Ok(()));
    assert_eq!(tree.rename("g", "g/"), Ok(()));
    assert_eq!(tree.rename("g", "g/x"), os(Errno::EXIST));
    assert_eq!(tree.rename("d", "g/x/y"), os(Errno::NOTDIR));
    assert_eq!(tree.names(""), ["d", "g"]);
    assert_eq!(tree.names("d"), ["sub"]);
}

#[test]
fn links_move_and_are_replaced_as_links() {
    let tree = Tree::new();
    tree.file("real", "real");
    tree.file("d/x", "x");
    tree.link("real", "l");
    assert_eq!(tree.rename("l", "moved"), Ok(()));
    assert_eq!(fs::read_link(tree.at("moved")).unwrap().to_str(), Some("real"));
    tree.file("f", "f");
    assert_eq!(tree.rename("f", "moved"), Ok(()));
    assert_eq!((text(&tree, "moved").as_str(), text(&tree, "real").as_str()), ("f", "real"));
    assert!(!tree.at("moved").is_symlink());
    tree.link("nowhere", "dangle");
    tree.link("loop", "loop");
    assert_eq!(tree.rename("dangle", "loop"), Ok(()));
    assert_eq!(fs::read_link(tree.at("loop")).unwrap().to_str(), Some("nowhere"));
    tree.link("real", "place");
    assert_eq!(tree.rename("d", "place"), Ok(()));
    assert!(tree.at("place").is_dir() && !tree.at("place").is_symlink());
    assert_eq!(tree.names(""), ["loop", "moved", "place", "real"]);
}

#[test]
fn links_that_lead_outside_neither_move_nor_are_replaced() {
    let tree = Tree::new();
    tree.file("f", "f");
    fs::write(tree.outside.join("o"), "o").unwrap();
    tree.link(tree.outside.join("o"), "out");
    tree.link(&tree.outside, "out-dir");
    let outside = Err(FileFailure::Denied(PathDenial::Outside));
    assert_eq!(tree.rename("out", "x"), outside);
    assert_eq!(tree.rename("f", "out"), outside);
    assert_eq!(tree.rename("f", "out-dir"), outside);
    assert_eq!(tree.rename("f", "out-dir/new"), outside);
    assert_eq!(tree.names(""), ["f", "out", "out-dir"]);
    assert_eq!(names(&tree.outside), ["o"]);
}

#[test]
fn two_names_of_one_file_become_one() {
    let tree = Tree::new();
    tree.file("a", "x");
    fs::hard_link(tree.at("a"), tree.at("b")).unwrap();
    assert_eq!(tree.rename("a", "b"), Ok(()));
    assert_eq!(tree.names(""), ["b"]);
}

#[test]
fn a_missing_source_and_protected_sources() {
    let tree = Tree::denying(&["*.pem"]);
    tree.file("t/s.pem", "");
    tree.file("file", "");
    let denied = Err(FileFailure::Denied(PathDenial::Denied));
    assert_eq!(tree.rename("none", "x"), Err(FileFailure::Missing));
    assert_eq!(tree.rename("file/x", "x"), Err(FileFailure::Missing));
    assert_eq!(tree.rename("", "x"), denied);
    assert_eq!(tree.rename("t", "x"), denied);
    assert_eq!(tree.rename("none", "x.pem"), denied);
    assert_eq!(tree.names(""), ["file", "t"]);
}

#[test]
fn parents_stay_when_the_move_then_fails() {
    let tree = Tree::new();
    tree.file("f", "");
    let long = format!("made/{}", "n".repeat(256));
    assert_eq!(tree.rename("f", long), os(Errno::NAMETOOLONG));
    assert_eq!(tree.names(""), ["f", "made"]);
}

#[test]
fn concurrent_moves_to_one_place_lose_no_directory() {
    let tree = Tree::new();
    for round in 0..50 {
        for number in 0..4 {
            tree.file(&format!("{number}/mark"), &number.to_string());
        }
        std::thread::scope(|scope| {
            for number in 0..4 {
                let tree = &tree;
                scope.spawn(move || tree.rename(number.to_string(), format!("to-{round}")).unwrap());
            }
        });
        // One became the place, the others went into it.
        assert_eq!(tree.names(format!("to-{round}")).len(), 4);
    }
}
