//! What happens without permission. Each test gives up the privileges that root has over permissions, in its own
//! thread.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::Duration;

use abxd_capabilities::Cancel;
use abxd_capabilities::files::ArchiveFormat::{TarGz, Zip};
use abxd_capabilities::files::{ArchiveFailure, FileFailure, SearchOptions, search, stat};
use abxd_glob::Glob;
use abxd_guards::path::Access::Read;
use rustix::io::Errno;
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

use crate::archive::reading::read;
use crate::archive::{FORMATS, bytes_of, options};
use crate::tree::{Tree, os};

/// Runs `test` in a thread that permissions count for.
fn as_nobody_special(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut sets = capabilities(None).unwrap();
            let over = CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
            sets.effective.remove(over);
            set_capabilities(None, sets).unwrap();
            test();
        });
        if let Err(panic) = run.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

fn chmod(tree: &Tree, path: &str, mode: u32) {
    fs::set_permissions(tree.at(path), fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn unreadable_files_are_errors_and_files_behind_unsearchable_directories_do_not_exist() {
    let tree = Tree::new();
    tree.file("d/f", "x");
    tree.file("f", "x");
    chmod(&tree, "f", 0);
    chmod(&tree, "d", 0);
    as_nobody_special(|| {
        assert_eq!(tree.read("f"), os(Errno::ACCESS));
        assert_eq!(tree.read("d/f"), Err(FileFailure::Missing));
        assert!(stat(&tree.check("d/f", Read).unwrap()).unwrap().is_none());
        assert!(stat(&tree.check("f", Read).unwrap()).unwrap().is_some());
        assert_eq!(tree.list("d"), Ok(Vec::new()));
        assert_eq!(tree.list("d/e"), Err(FileFailure::Missing));
        assert_eq!(tree.remove("d/f"), Err(FileFailure::Missing));
    });
    chmod(&tree, "d", 0o700);
}

#[test]
fn an_unreadable_directory_in_a_recursive_listing_has_no_entries() {
    let tree = Tree::new();
    tree.file("a/x", "");
    chmod(&tree, "a", 0);
    as_nobody_special(|| {
        let options = abxd_capabilities::files::ListOptions { recursive: true, max_entries: 10, max_depth: 3 };
        let entries = abxd_capabilities::files::list(&tree.check("", Read).unwrap(), &options).unwrap();
        assert_eq!(entries.len(), 1);
    });
    chmod(&tree, "a", 0o700);
}

#[test]
fn a_directory_that_may_not_be_written_refuses_new_entries_and_keeps_its_own() {
    let tree = Tree::new();
    tree.file("d/f", "old");
    tree.file("d/t/x", "x");
    tree.file("g", "g");
    chmod(&tree, "d", 0o500);
    as_nobody_special(|| {
        assert_eq!(tree.make_dir("d/new"), os(Errno::ACCESS));
        assert_eq!(tree.make_dir("d/t"), Ok(()));
        assert_eq!(tree.save("d/new", b"x", true), os(Errno::ACCESS));
        assert_eq!(tree.remove("d/f"), os(Errno::ACCESS));
        assert_eq!(tree.rename("d/f", "f"), os(Errno::ACCESS));
        assert_eq!(tree.rename("g", "d/g"), os(Errno::ACCESS));
        assert_eq!(tree.rename("d/t", "t"), os(Errno::ACCESS));
    });
    chmod(&tree, "d", 0o700);
    assert_eq!(tree.names(""), ["d", "g"]);
    assert_eq!(tree.names("d"), ["f", "t"]);
}

#[test]
fn a_writable_file_in_a_directory_that_is_not_is_written_in_place() {
    let tree = Tree::new();
    let path = tree.file("d/f", "old and longer");
    chmod(&tree, "d", 0o500);
    let inode = fs::metadata(&path).unwrap().ino();
    as_nobody_special(|| {
        assert_eq!(tree.save("d/f", b"new", true), Ok(3));
    });
    chmod(&tree, "d", 0o700);
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    assert_eq!(tree.names("d"), ["f"]);
}

#[test]
fn a_file_that_may_not_be_written_is_not_replaced() {
    let tree = Tree::new();
    tree.file("f", "old");
    chmod(&tree, "f", 0o444);
    as_nobody_special(|| assert_eq!(tree.save("f", b"new", true), os(Errno::ACCESS)));
    assert_eq!(fs::read(tree.at("f")).unwrap(), b"old");
}

#[test]
fn an_unreadable_file_fails_an_archive_and_an_unreadable_directory_is_left_out() {
    let tree = Tree::new();
    tree.file("d/closed/x", "x");
    tree.file("d/open", "o");
    tree.file("e/f", "f");
    tree.link("f", "e/l");
    tree.link("../e/f", "d/to-f");
    chmod(&tree, "d/closed", 0);
    chmod(&tree, "e/f", 0);
    as_nobody_special(|| {
        for format in FORMATS {
            let run = |path: &str| bytes_of(&[tree.check(path, Read).unwrap()], &options(format));
            let refused = Err(ArchiveFailure::File(FileFailure::Os(Errno::ACCESS)));
            assert_eq!(run("e"), refused);
            assert_eq!(run("e/f"), refused);
            assert_eq!(run("d/closed/x"), Err(ArchiveFailure::File(FileFailure::Missing)));
            assert!(read(&run("d/closed").unwrap(), format).is_empty());
        }
        // A tar keeps the link itself; a zip would need what it leads to.
        let members = read(&bytes_of(&[tree.check("d", Read).unwrap()], &options(TarGz)).unwrap(), TarGz);
        assert_eq!(members.len(), 2);
        let zip = bytes_of(&[tree.check("d", Read).unwrap()], &options(Zip));
        assert_eq!(zip, Err(ArchiveFailure::File(FileFailure::Os(Errno::ACCESS))));
    });
    chmod(&tree, "d/closed", 0o700);
}

#[test]
fn unreadable_directories_are_passed_over_by_a_search() {
    let tree = Tree::new();
    tree.file("d/closed/x", "");
    tree.file("d/open/x", "");
    chmod(&tree, "d/closed", 0);
    as_nobody_special(|| {
        let options = SearchOptions {
            pattern: Glob::new("x").unwrap(),
            max_depth: 5,
            max_results: 100,
            timeout: Duration::from_secs(600),
        };
        let run = |path: &str| search(&tree.check(path, Read).unwrap(), &options, &Cancel::new()).unwrap().hits.len();
        assert_eq!((run("d"), run("d/closed")), (1, 0));
    });
    chmod(&tree, "d/closed", 0o700);
}
