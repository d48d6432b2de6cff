//! Limits of files and bytes, and how an archive that isn't wanted any more ends.

use std::fs;
use std::io;

use abxd_capabilities::Cancel;
use abxd_capabilities::files::ArchiveFormat::{TarGz, Zip};
use abxd_capabilities::files::{ArchiveFailure, ArchiveOptions, FileFailure, archive};
use abxd_guards::path::Access::Read;
use rustix::io::Errno;

use super::{FORMATS, options, pack_with};
use crate::tree::Tree;

#[test]
fn files_are_counted_whatever_names_them_and_whether_packed_or_not() {
    let tree = Tree::denying(&["*.pem"]);
    tree.file("d/one", "");
    tree.file("d/e/two", "");
    tree.link("one", "d/link");
    tree.link("e", "d/link-to-directory");
    tree.link("nowhere", "d/dangling");
    tree.fifo("d/fifo");
    let _socket = std::os::unix::net::UnixListener::bind(tree.at("d/socket")).unwrap();
    // None of these counts.
    tree.file("d/denied.pem", "");
    tree.link(&tree.outside, "d/out");
    tree.dir("d/empty");
    tree.file("d/.abxd-tmp-0123456789abcdef", "");
    for format in FORMATS {
        for (paths, count) in [
            (&["d"][..], 7),
            (&["d/one"], 1),
            (&["d/one", "d/one", "d/one"], 3),
            (&["d", "d/e", "d/one"], 9),
            (&["d/fifo", "d/empty"], 0),
        ] {
            let most = |max_files| ArchiveOptions { max_files, ..options(format) };
            assert!(pack_with(&tree, paths, &most(count)).is_ok(), "{paths:?}");
            if let Some(fewer) = count.checked_sub(1) {
                let failure = pack_with(&tree, paths, &most(fewer)).unwrap_err();
                assert_eq!(failure, ArchiveFailure::TooMany(fewer), "{paths:?}");
            }
        }
    }
}

#[test]
fn the_finished_archive_may_be_as_large_as_the_limit() {
    let tree = Tree::new();
    tree.dir("empty");
    for number in 0..50 {
        tree.file(&format!("d/{number}"), &number.to_string().repeat(number * 50));
    }
    for format in FORMATS {
        for path in ["d", "empty"] {
            // Only the time in the header of gzip changes, which is no matter of size.
            let size = pack_with(&tree, &[path], &options(format)).unwrap().len() as u64;
            let most = |max_bytes| ArchiveOptions { max_bytes, ..options(format) };
            assert!(pack_with(&tree, &[path], &most(size)).is_ok());
            for max_bytes in [0, 1, size / 2, size - 1] {
                let failure = pack_with(&tree, &[path], &most(max_bytes)).unwrap_err();
                assert_eq!(failure, ArchiveFailure::TooLarge(max_bytes), "{format:?} {path}");
            }
        }
    }
}

#[test]
fn too_many_files_are_refused_before_any_other_limit() {
    let tree = Tree::new();
    for number in 0..10 {
        tree.file(&format!("d/{number}"), "x");
    }
    for format in FORMATS {
        let both = ArchiveOptions { format, max_files: 9, max_bytes: 1 };
        assert_eq!(pack_with(&tree, &["d"], &both), Err(ArchiveFailure::TooMany(9)));
    }
}

#[test]
fn building_stops_where_the_limit_is_passed() {
    let tree = Tree::new();
    let file = fs::File::create(tree.at("sparse")).unwrap();
    // Reading all of it would take for ever.
    file.set_len(1 << 42).unwrap();
    for format in FORMATS {
        let most = ArchiveOptions { max_bytes: 20_000, ..options(format) };
        assert_eq!(pack_with(&tree, &["sparse"], &most), Err(ArchiveFailure::TooLarge(20_000)));
    }
}

#[test]
fn a_file_that_cannot_take_the_archive_is_a_plain_error() {
    let tree = Tree::new();
    tree.file("a", "A");
    let path = tree.check("a", Read).unwrap();
    for format in FORMATS {
        let full = || fs::File::options().write(true).open("/dev/full");
        let failure = archive(std::slice::from_ref(&path), &options(format), full, &Cancel::new()).unwrap_err();
        assert!(matches!(failure, ArchiveFailure::File(FileFailure::Os(_))), "{failure:?}");
        let none = || Err(io::Error::from(Errno::MFILE));
        let failure = archive(std::slice::from_ref(&path), &options(format), none, &Cancel::new()).unwrap_err();
        assert_eq!(failure, ArchiveFailure::File(FileFailure::Os(Errno::MFILE)));
    }
}

#[test]
fn a_cancelled_archive_ends_in_the_middle_of_a_file() {
    let tree = Tree::new();
    let file = fs::File::create(tree.at("sparse")).unwrap();
    file.set_len(1 << 42).unwrap();
    let path = tree.check("sparse", Read).unwrap();
    for format in [TarGz, Zip] {
        let cancel = Cancel::new();
        let (begun, begins) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let unnamed = || {
                    let _ = begun.send(());
                    tempfile::tempfile()
                };
                let options = ArchiveOptions { max_bytes: u64::MAX, ..options(format) };
                archive(std::slice::from_ref(&path), &options, unnamed, &cancel).map(|made| made.size)
            });
            begins.recv().unwrap();
            cancel.cancel();
            assert_eq!(work.join().unwrap(), Err(ArchiveFailure::Cancelled));
        });
    }
}
