use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::sync::Arc;

use abxd_guards::path::{Access, OwnPath, PathGuard, PathRule, Protected};
use rustix::io::Errno;
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

use super::relocate;
use crate::files::FileFailure;
use crate::files::rename::{find, land};

fn own(top: &Path, name: &str, access: Access) -> OwnPath {
    let guard = PathGuard::new(PathRule::default(), top, top, Arc::new(Protected::nothing()));
    guard.check_own(top.join(name).as_os_str().as_bytes(), access).unwrap()
}

/// Moves by copying although a rename would do.
fn by_copy(top: &Path, from: &str, to: &str) -> Result<(), FileFailure> {
    let source = own(top, from, Access::Delete);
    let origin = find(&source)?;
    let landing = land(&source, &origin, &own(top, to, Access::Write))?.unwrap();
    relocate(&origin, &landing)
}

fn names(dir: &Path) -> Vec<std::ffi::OsString> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

#[test]
fn a_copy_replaces_a_file_and_the_source_goes() {
    let top = tempfile::tempdir().unwrap();
    fs::write(top.path().join("a"), "a").unwrap();
    fs::write(top.path().join("b"), "b").unwrap();
    assert_eq!(by_copy(top.path(), "a", "b"), Ok(()));
    assert_eq!(names(top.path()), ["b"]);
    assert_eq!(fs::read(top.path().join("b")).unwrap(), b"a");
}

#[test]
fn extended_attributes_move_along() {
    let top = tempfile::tempdir().unwrap();
    let file = top.path().join("a");
    fs::write(&file, "a").unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(&file, "user.note", b"kept", flags).is_err() {
        return;
    }
    assert_eq!(by_copy(top.path(), "a", "b"), Ok(()));
    let mut value = [0; 4];
    assert_eq!(rustix::fs::getxattr(top.path().join("b"), "user.note", &mut value), Ok(4));
    assert_eq!(&value, b"kept");
}

#[test]
fn a_source_that_may_not_be_removed_stays_and_nothing_else_is_left() {
    let top = tempfile::tempdir().unwrap();
    let shared = top.path().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::write(shared.join("theirs"), "theirs").unwrap();
    fs::write(top.path().join("old"), "old").unwrap();
    // In a sticky directory only the owner removes: told by nothing but the attempt.
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
    if chown(shared.join("theirs"), Some(12), Some(12)).and_then(|()| chown(&shared, Some(12), Some(12))).is_err() {
        return;
    }
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut sets = capabilities(None).unwrap();
            sets.effective.remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::FOWNER | CapabilitySet::CHOWN);
            set_capabilities(None, sets).unwrap();
            for to in ["new", "old"] {
                assert_eq!(by_copy(top.path(), "shared/theirs", to), Err(FileFailure::Os(Errno::PERM)));
            }
        });
    });
    assert_eq!(names(top.path()), ["old", "shared"]);
    assert_eq!(fs::read(top.path().join("old")).unwrap(), b"old");
    assert_eq!(names(&shared), ["theirs"]);
}

#[test]
fn a_tree_that_may_not_be_emptied_is_not_copied() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir_all(top.path().join("t/locked")).unwrap();
    fs::write(top.path().join("t/locked/f"), "").unwrap();
    fs::set_permissions(top.path().join("t/locked"), fs::Permissions::from_mode(0o555)).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut sets = capabilities(None).unwrap();
            sets.effective.remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH);
            set_capabilities(None, sets).unwrap();
            assert_eq!(by_copy(top.path(), "t", "new"), Err(FileFailure::Os(Errno::ACCESS)));
        });
    });
    fs::set_permissions(top.path().join("t/locked"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(names(top.path()), ["t"]);
    assert_eq!(names(&top.path().join("t/locked")), ["f"]);
}
