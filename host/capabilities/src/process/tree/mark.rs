//! Marks of trees.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use rustix::rand::{GetRandomFlags, getrandom};

use abxd_sys::spawn::Limit;

use crate::process::ledger::{self, Owner};

/// Makes marks: 31 bits for the supervisor, chosen at random so that nested servers do not meet, 32 for the tree.
#[derive(Debug)]
pub(in crate::process) struct Marks {
    owner: Owner,
    next: AtomicU32,
}

impl Marks {
    /// Marks that no other supervisor of this process makes.
    ///
    /// # Errors
    /// The errno of asking for random bytes.
    pub(in crate::process) fn new() -> Result<Self, Errno> {
        loop {
            let mut bytes = [0; 4];
            getrandom(&mut bytes, GetRandomFlags::empty())?;
            let owner = Owner::from_ne_bytes(bytes) >> 1;
            if owner != 0 && ledger::begin(owner) {
                return Ok(Self { owner, next: AtomicU32::new(0) });
            }
        }
    }

    /// Whose they are.
    pub(in crate::process) const fn owner(&self) -> Owner {
        self.owner
    }

    /// A new one.
    pub(in crate::process) fn next(&self) -> u64 {
        (u64::from(self.owner) << 32) | u64::from(self.next.fetch_add(1, Ordering::Relaxed))
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        ledger::end(self.owner);
    }
}

/// Whose mark it is, be it of this process or of another server's.
pub(in crate::process) fn owner(mark: u64) -> Owner {
    Owner::try_from(mark >> 32).unwrap_or(0)
}

/// The limit that carries a mark. The hard limit stays as it is; where that is too low for a mark, there is none.
pub(in crate::process) fn limit(mark: u64) -> Option<Limit> {
    let hard = getrlimit(Resource::Locks).maximum.unwrap_or(u64::MAX);
    (mark <= hard).then_some(Limit { resource: Resource::Locks, soft: mark, hard })
}

/// The mark of a process, if it can be told.
pub(super) fn read(pid: i32) -> Option<u64> {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max file locks"))?;
    line.split_whitespace().next()?.parse().ok()
}
