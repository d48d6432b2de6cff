//! Saving files.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::sync::atomic::{AtomicBool, Ordering};

use abxd_capabilities::files::{FileFailure, SaveOptions, SaveTarget};
use abxd_guards::Opener;
use abxd_guards::path::Access::Write;
use abxd_guards::path::{PathDenial, PathRule};
use rustix::io::Errno;

use crate::tree::{Tree, names, os};

const REPLACE: SaveOptions = SaveOptions { overwrite: true };

#[test]
fn new_files_appear_with_their_parents_and_the_default_mode() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        fs::write(tree.outside.join("reference"), "").unwrap();
        let usual = fs::metadata(tree.outside.join("reference")).unwrap().mode();
        assert_eq!(tree.save("up/a/b/c.txt", b"hello", true), Ok(5));
        assert_eq!(tree.save("empty", b"", true), Ok(0));
        assert_eq!(tree.save("only-new", b"x", false), Ok(1));
        assert_eq!(fs::read(tree.at("up/a/b/c.txt")).unwrap(), b"hello");
        assert_eq!(fs::metadata(tree.at("up/a/b/c.txt")).unwrap().mode(), usual);
        assert_eq!(tree.names(""), ["empty", "only-new", "up"]);
        assert_eq!(tree.names("up/a/b"), ["c.txt"]);
    }
}

#[test]
fn replacing_keeps_mode_and_owner_and_leaves_open_readers_their_content() {
    let tree = Tree::new();
    let path = tree.file("script", "old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&path, Some(12), Some(34)).unwrap();
    }
    let before = fs::metadata(&path).unwrap();
    assert_eq!(tree.save("script", b"longer content", true), Ok(14));
    let after = fs::metadata(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"longer content");
    assert_eq!((after.mode(), after.uid(), after.gid()), (before.mode(), before.uid(), before.gid()));
    assert_ne!(after.ino(), before.ino());
    assert_eq!(tree.names(""), ["script"]);
}

#[test]
fn links_are_written_through_and_dangling_ones_make_their_target() {
    let tree = Tree::new();
    tree.file("real", "old");
    tree.link("real", "in");
    tree.link("made/new", "dangle");
    assert_eq!(tree.save("in", b"new", true), Ok(3));
    assert_eq!(tree.save("dangle", b"d", true), Ok(1));
    assert_eq!(fs::read(tree.at("real")).unwrap(), b"new");
    assert_eq!(fs::read(tree.at("made/new")).unwrap(), b"d");
    assert!(tree.at("in").is_symlink() && tree.at("dangle").is_symlink());
}

#[test]
fn targets_that_are_no_files_are_refused_at_once() {
    let tree = Tree::new();
    tree.dir("dir");
    tree.fifo("fifo");
    tree.file("file", "old");
    tree.link("loop", "loop");
    tree.link(tree.outside.join("new"), "out");
    let _listener = std::os::unix::net::UnixListener::bind(tree.at("socket")).unwrap();
    let denied = Err(FileFailure::Denied(PathDenial::Denied));
    for (path, replacing, creating) in [
        ("dir", os(Errno::ISDIR), Err(FileFailure::Exists)),
        ("", os(Errno::ISDIR), Err(FileFailure::Exists)),
        ("fifo", denied, denied),
        ("socket", denied, denied),
        ("loop", Err(FileFailure::Denied(PathDenial::Symlink)), Err(FileFailure::Denied(PathDenial::Symlink))),
        ("out", Err(FileFailure::Denied(PathDenial::Outside)), Err(FileFailure::Denied(PathDenial::Outside))),
        ("file/x", os(Errno::EXIST), os(Errno::EXIST)),
        ("file/x/y", os(Errno::NOTDIR), os(Errno::NOTDIR)),
        ("file", Ok(3), Err(FileFailure::Exists)),
    ] {
        assert_eq!(tree.save(path, b"new", false), creating, "{path}");
        assert_eq!(tree.save(path, b"new", true), replacing, "{path}");
    }
    assert_eq!(tree.save("n".repeat(256), b"", true), os(Errno::NAMETOOLONG));
    assert_eq!(names(&tree.outside), [""; 0]);
    assert_eq!(tree.names(""), ["dir", "fifo", "file", "loop", "out", "socket"]);
}

#[test]
fn nothing_is_left_when_a_save_is_dropped() {
    let tree = Tree::new();
    tree.file("old", "old");
    for path in ["old", "new"] {
        let target = SaveTarget::prepare(tree.check(path, Write).unwrap(), REPLACE).unwrap();
        let mut saving = target.begin().unwrap();
        saving.write(&[7; 100_000]).unwrap();
        assert_eq!(tree.list("").unwrap().len(), 1);
        drop(saving);
    }
    assert_eq!(fs::read(tree.at("old")).unwrap(), b"old");
    assert_eq!(tree.names(""), ["old"]);
}

#[test]
fn whether_a_new_file_may_be_made_is_decided_at_the_commit() {
    let tree = Tree::new();
    let begin = |overwrite| {
        let target = SaveTarget::prepare(tree.check("f", Write).unwrap(), SaveOptions { overwrite }).unwrap();
        let mut saving = target.begin().unwrap();
        saving.write(b"late").unwrap();
        saving
    };
    let (creating, replacing) = (begin(false), begin(true));
    tree.file("f", "early");
    assert_eq!(creating.commit(), Err(FileFailure::Exists));
    assert_eq!(fs::read(tree.at("f")).unwrap(), b"early");
    assert_eq!(replacing.commit(), Ok(4));
    assert_eq!(fs::read(tree.at("f")).unwrap(), b"late");
    assert_eq!(tree.names(""), ["f"]);
}

#[test]
fn a_file_that_vanishes_during_the_save_is_written_with_its_mode() {
    let tree = Tree::new();
    let path = tree.file("f", "old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let saving = SaveTarget::prepare(tree.check("f", Write).unwrap(), REPLACE).unwrap().begin().unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(saving.commit(), Ok(0));
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o755);
}

#[test]
fn of_many_exclusive_saves_one_wins() {
    let tree = Tree::new();
    for round in 0..50 {
        let name = format!("f{round}");
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|number: u8| {
                    let (tree, name) = (&tree, &name);
                    scope.spawn(move || tree.save(name, &[number; 10], false))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let winner = outcomes.iter().position(Result::is_ok).unwrap();
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Err(FileFailure::Exists)).count(), 3);
        assert_eq!(fs::read(tree.at(&name)).unwrap(), [u8::try_from(winner).unwrap(); 10]);
    }
    assert_eq!(tree.names("").len(), 50);
}

#[test]
fn all_names_of_a_hard_linked_file_see_the_new_content() {
    let tree = Tree::new();
    tree.file("a", "old and long");
    fs::hard_link(tree.at("a"), tree.at("b")).unwrap();
    let target = SaveTarget::prepare(tree.check("a", Write).unwrap(), REPLACE).unwrap();
    let mut saving = target.begin().unwrap();
    saving.write(b"new").unwrap();
    assert_eq!(fs::read(tree.at("b")).unwrap(), b"old and long");
    assert_eq!(saving.commit(), Ok(3));
    assert_eq!(fs::read(tree.at("b")).unwrap(), b"new");
    assert_eq!(tree.save("b", &[b'x'; 300_000], true), Ok(300_000));
    assert_eq!(fs::read(tree.at("a")).unwrap().len(), 300_000);
    assert_eq!(fs::metadata(tree.at("a")).unwrap().nlink(), 2);
}

#[test]
fn a_directory_that_vanishes_during_the_save_is_a_clear_error() {
    let tree = Tree::new();
    tree.dir("d");
    let target = SaveTarget::prepare(tree.check("d/f", Write).unwrap(), REPLACE).unwrap();
    let mut saving = target.begin().unwrap();
    saving.write(b"x").unwrap();
    fs::remove_dir(tree.at("d")).unwrap();
    assert_eq!(saving.commit(), Err(FileFailure::Missing));
    assert_eq!(tree.names(""), [""; 0]);
}

#[test]
fn a_directory_moved_away_during_the_save_takes_nothing_with_it() {
    let tree = Tree::new();
    for replacement in [true, false] {
        tree.dir("d");
        let target = SaveTarget::prepare(tree.check("d/f", Write).unwrap(), REPLACE).unwrap();
        let mut saving = target.begin().unwrap();
        saving.write(b"x").unwrap();
        fs::rename(tree.at("d"), tree.outside.join("d")).unwrap();
        if replacement {
            tree.dir("d");
            assert_eq!(saving.commit(), Ok(1));
            assert_eq!(tree.names("d"), ["f"]);
        } else {
            tree.link(&tree.outside, "d");
            assert_eq!(saving.commit(), Err(FileFailure::Denied(PathDenial::Outside)));
        }
        assert_eq!(names(&tree.outside), ["d"]);
        assert_eq!(names(&tree.outside.join("d")), [""; 0]);
        fs::remove_dir(tree.outside.join("d")).unwrap();
        if replacement {
            fs::remove_dir_all(tree.at("d")).unwrap();
        }
    }
}

#[test]
fn readers_see_the_whole_old_or_the_whole_new_file() {
    let tree = Tree::new();
    let bodies = [vec![b'a'; 1_000_000], vec![b'b'; 1_000_000]];
    tree.save("f", &bodies[0], true).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let seen = tree.read("f").unwrap();
                    assert!(seen == bodies[0] || seen == bodies[1], "a mix of {} bytes", seen.len());
                }
            });
        }
        for round in 0..200 {
            assert_eq!(tree.save("f", &bodies[round % 2], true), Ok(1_000_000));
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(tree.names(""), ["f"]);
}
