//! Killing processes that do not live long enough to be listed first: each forks and ends, and its child does the same.
//!
//! The newest come first, each is judged by its mark alone and killed in the same breath, and whoever is born meanwhile is
//! next. What is reached can't fork any more, so such a tree only becomes smaller.

use std::collections::HashSet;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::mark;
use super::members::Quarry;

/// Time for those that are born meanwhile.
const TIME: Duration = Duration::from_millis(5);

/// Most pids that are tried between two looks at the newest.
const STRIDE: i32 = 4096;

/// Kills whoever bears the quarry's mark.
pub(super) fn chase(quarry: Quarry) {
    let end = Instant::now() + TIME;
    let Some(mut newest) = newest() else { return };
    let mut seen = HashSet::new();
    for pid in listed(newest) {
        seen.insert(pid);
        kill(quarry, pid);
    }
    while Instant::now() < end {
        let Some(now) = self::newest() else { return };
        // After a wrap the next round lists them.
        for pid in (newest + 1..=now).take(usize::try_from(STRIDE).unwrap_or(usize::MAX)) {
            if seen.insert(pid) {
                kill(quarry, pid);
            }
        }
        if now == newest {
            std::thread::yield_now();
        }
        newest = now;
    }
}

/// The pid that was given last (`proc_loadavg(5)`).
pub(super) fn newest() -> Option<i32> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next_back()?.parse().ok()
}

/// All pids, those that were given last first.
fn listed(newest: i32) -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let mut pids: Vec<i32> = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    // Pids are given in turn: those above the newest are the oldest.
    pids.sort_unstable_by_key(|pid| (*pid > newest, std::cmp::Reverse(*pid)));
    pids
}

fn kill(quarry: Quarry, pid: i32) {
    let Some(handle) = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else { return };
    // If the handle's process is there to be signalled, it has had that pid all along, and the mark is its own.
    if mark::read(pid).is_some_and(|mark| quarry.bears(mark)) {
        let _ = pidfd_send_signal(handle, Signal::KILL);
    }
}
