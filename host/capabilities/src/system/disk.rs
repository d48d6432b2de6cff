//! How full the root file system is.

use rustix::fs::statvfs;

/// Bytes of a file system, as `statvfs(3)` counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disk {
    /// All of it.
    pub total: u64,
    /// What is free, to root.
    pub free: u64,
    /// What is free to everybody.
    pub available: u64,
}

impl Disk {
    /// The file system of `/`. None: it can't be told.
    pub(super) fn of_root() -> Option<Self> {
        let found = statvfs("/").ok()?;
        let bytes = |blocks: u64| found.f_frsize.saturating_mul(blocks);
        Some(Self { total: bytes(found.f_blocks), free: bytes(found.f_bfree), available: bytes(found.f_bavail) })
    }
}
