//! A control group whose processes share a small memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::wait;

/// The group. Dropping it removes it, once nobody is in it any more.
#[derive(Debug)]
pub(crate) struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// A group with this limit, such as `160M`; none where groups can't be made.
    pub(crate) fn of(limit: &str) -> Option<Self> {
        // Version 1 of control groups, version 2, and where the two are there together.
        let kinds = [
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
            ("/sys/fs/cgroup", "memory.max", "memory.swap.max"),
        ];
        kinds.into_iter().find_map(|(root, key, swap)| Self::made(Path::new(root), limit, key, swap))
    }

    fn made(root: &Path, limit: &str, key: &str, swap: &str) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("abxd-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = root.join(name);
        fs::create_dir(&folder).ok()?;
        let group = Self(folder);
        fs::write(group.0.join(key), limit).ok()?;
        // Where there is no swap, there is no such key.
        let _ = fs::write(group.0.join(swap), if key == "memory.max" { "0" } else { limit });
        Some(group)
    }

    /// Words before a program, which make it enter the group.
    pub(crate) fn entering(&self) -> [String; 3] {
        let procs = self.0.join("cgroup.procs");
        ["sh".to_owned(), "-c".to_owned(), format!("echo $$ > {} && exec \"$0\" \"$@\"", procs.display())]
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        wait::until_true("the control group is empty", || fs::remove_dir(&self.0).is_ok());
    }
}
