use std::ffi::OsStr;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use super::{NEW_FILE, Spool};
use crate::files::FileFailure;
use crate::files::temporary::is_temporary;

fn open(dir: &Path) -> OwnedFd {
    openat(CWD, dir, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap()
}

fn names(dir: &Path) -> Vec<std::ffi::OsString> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// A spool as file systems without unnamed files get it.
fn named(dir: &OwnedFd, content: &[u8]) -> Spool {
    let mut spool = Spool::named(dir.as_fd(), NEW_FILE).unwrap();
    spool.write(content).unwrap();
    spool
}

#[test]
fn a_spool_with_a_name_is_hidden_and_goes_when_dropped() {
    let top = tempfile::tempdir().unwrap();
    let spool = named(&open(top.path()), b"x");
    let found = names(top.path());
    assert!(found.len() == 1 && is_temporary(&found[0]));
    drop(spool);
    assert_eq!(names(top.path()), [""; 0]);
}

#[test]
fn a_spool_with_a_name_becomes_a_new_file_but_replaces_none() {
    let top = tempfile::tempdir().unwrap();
    let dir = open(top.path());
    named(&dir, b"one").publish_new(dir.as_fd(), OsStr::new("f")).unwrap();
    let refused = named(&dir, b"two").publish_new(dir.as_fd(), OsStr::new("f"));
    assert_eq!(refused, Err(FileFailure::Os(Errno::EXIST)));
    assert_eq!(fs::read(top.path().join("f")).unwrap(), b"one");
    named(&dir, b"three").publish_over(dir.as_fd(), OsStr::new("f")).unwrap();
    assert_eq!(fs::read(top.path().join("f")).unwrap(), b"three");
    assert_eq!(names(top.path()), ["f"]);
}

#[test]
fn a_spool_that_cannot_be_linked_is_copied_with_its_mode() {
    let top = tempfile::tempdir().unwrap();
    let (here, there) = (top.path().join("here"), top.path().join("there"));
    fs::create_dir(&here).unwrap();
    fs::create_dir(&there).unwrap();
    fs::write(here.join("usual"), "").unwrap();
    let mut spool = named(&open(&here), b"content");
    spool.publish_new(open(&there).as_fd(), OsStr::new("f")).unwrap();
    drop(spool);
    assert_eq!(fs::read(there.join("f")).unwrap(), b"content");
    let mode = |path: &Path| fs::metadata(path).unwrap().mode();
    assert_eq!(mode(&there.join("f")), mode(&here.join("usual")));
    assert_eq!((names(&here).len(), names(&there).len()), (1, 1));
}

#[test]
fn a_spool_kept_elsewhere_has_no_name() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("f");
    fs::write(&path, "old and longer").unwrap();
    let mut spool = Spool::elsewhere().unwrap();
    assert!(!spool.is_beside());
    spool.write(b"new").unwrap();
    let mut target = fs::File::options().write(true).open(&path).unwrap();
    spool.pour_into(&mut target, 14, 3).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
}
