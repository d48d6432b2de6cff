//! Carrying attributes from one file to another.

use std::os::fd::AsFd;

use abxd_guards::file::{Facts, Time};
use rustix::fs::{Gid, Mode, Timespec, Timestamps, Uid, XattrFlags};
use rustix::fs::{fchmod, fchown, fgetxattr, flistxattr, fsetxattr, futimens};
use rustix::io::Errno;

/// Read, write and execute for owner, group and others.
const PERMISSION_BITS: u32 = 0o777;
/// Largest list of names, and largest value, of extended attributes (the kernel's limits).
const XATTR_MAX: usize = 64 * 1024;

/// Gives `to` the owner, the group (both where the process may set them) and the permission bits of `facts`. Set-id
/// bits are left out: they were given to another content.
pub(super) fn take_over(to: impl AsFd, facts: &Facts) -> Result<(), Errno> {
    let own = Facts::of(&to)?;
    if (own.uid, own.gid) != (facts.uid, facts.gid) {
        let group = Some(Gid::from_raw(facts.gid));
        if fchown(&to, Some(Uid::from_raw(facts.uid)), group).is_err() {
            // Neither is an error: the file then belongs to who wrote it.
            let _ = fchown(&to, None, group);
        }
    }
    fchmod(&to, Mode::from_raw_mode(facts.mode & PERMISSION_BITS))
}

/// Makes `to` a faithful copy of `from` in all but content: owner, mode, extended attributes and times, each where the
/// process may set it. The mode must be set.
pub(super) fn copy(from: impl AsFd, to: impl AsFd, facts: &Facts) -> Result<(), Errno> {
    let owner = fchown(&to, Some(Uid::from_raw(facts.uid)), Some(Gid::from_raw(facts.gid)));
    copy_extended(&from, &to);
    let kept = if owner.is_ok() { 0o7777 } else { PERMISSION_BITS | 0o1000 };
    fchmod(&to, Mode::from_raw_mode(facts.mode & kept))?;
    let _ = futimens(&to, &times(facts));
    Ok(())
}

/// Access and modification time of `facts`.
pub(super) fn times(facts: &Facts) -> Timestamps {
    let stamp = |time: Time| Timespec { tv_sec: time.secs, tv_nsec: time.nanos.into() };
    Timestamps { last_access: stamp(facts.accessed), last_modification: stamp(facts.modified) }
}

/// Best effort: file systems without extended attributes, and namespaces that the process may not write, are common.
fn copy_extended(from: impl AsFd, to: impl AsFd) {
    let mut names = Vec::with_capacity(XATTR_MAX);
    if flistxattr(&from, rustix::buffer::spare_capacity(&mut names)).is_err() {
        return;
    }
    let mut value = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        value.clear();
        value.reserve(XATTR_MAX);
        if fgetxattr(&from, name, rustix::buffer::spare_capacity(&mut value)).is_ok() {
            let _ = fsetxattr(&to, name, &value, XattrFlags::empty());
        }
    }
}
