//! What the control group of this process may use, in either version of the hierarchy (`cgroups(7)`).
//!
//! A group is bound by every group above it, so the least of them counts; those above the mount's root can't be seen
//! from within a container.

use std::fs;
use std::path::{Path, PathBuf};

use procfs::ProcResult;
use procfs::process::{MountInfo, Process};

/// From here on a number in the files of version 1 means that there is no limit: the largest multiple of a page.
const UNLIMITED: u64 = i64::MAX.cast_unsigned() & !0xffff;

/// The limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Bytes of memory. None: no limit is known.
    pub memory: Option<u64>,
    /// Processors, on average over a period. None: no limit is known.
    pub cpu: Option<f64>,
}

impl Limits {
    /// The limits in force. A machine without control groups has none.
    pub(super) fn now() -> Self {
        Self::read().unwrap_or_default()
    }

    fn read() -> ProcResult<Self> {
        let process = Process::myself()?;
        let (groups, mounts) = (process.cgroups()?, process.mountinfo()?);
        let mut limits = Self::default();
        for group in &groups.0 {
            let of = |controller: &str| {
                let is_unified = group.controllers.iter().all(String::is_empty);
                let is_here = is_unified || group.controllers.iter().any(|name| name == controller);
                let mount = mounts.iter().find(|mount| carries(mount, controller, is_unified))?;
                is_here.then(|| chain(mount, &group.pathname))
            };
            for folder in of("memory").into_iter().flatten() {
                limits.memory = least(limits.memory, memory(&folder), u64::min);
            }
            for folder in of("cpu").into_iter().flatten() {
                limits.cpu = least(limits.cpu, cpu(&folder), f64::min);
            }
        }
        Ok(limits)
    }
}

fn least<T>(one: Option<T>, other: Option<T>, smaller: fn(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(smaller(one, other)),
        (one, other) => one.or(other),
    }
}

/// Whether this is where the controller's hierarchy is mounted.
fn carries(mount: &MountInfo, controller: &str, is_unified: bool) -> bool {
    match &*mount.fs_type {
        "cgroup2" => is_unified,
        "cgroup" => !is_unified && mount.super_options.contains_key(controller),
        _ => false,
    }
}

/// The folder of the group `path`, and those of the groups above it, as far as they can be seen below the mount.
fn chain(mount: &MountInfo, path: &str) -> Vec<PathBuf> {
    let inner = Path::new(path).strip_prefix(&mount.root).unwrap_or(Path::new(""));
    // `..` stands where the group lies outside of what this process is shown.
    let is_shown = !inner.components().any(|part| matches!(part, std::path::Component::ParentDir));
    let inner = if is_shown { inner } else { Path::new("") };
    inner.ancestors().map(|inner| mount.mount_point.join(inner.strip_prefix("/").unwrap_or(inner))).collect()
}

fn memory(folder: &Path) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    // `memory.max` says `max` where there is none, which is no number.
    number("memory.max").or_else(|| number("memory.limit_in_bytes")).filter(|limit| *limit < UNLIMITED)
}

fn cpu(folder: &Path) -> Option<f64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let (quota, period) = match read("cpu.max") {
        Some(both) => both.trim().split_once(' ').map(|(quota, period)| (quota.to_owned(), period.to_owned()))?,
        None => (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?),
    };
    // `max`, and -1 in version 1, stand for no quota.
    let microseconds = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0).map(f64::from);
    Some(microseconds(&quota)? / microseconds(&period)?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{cpu, least, memory};

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn both_versions_of_the_files_are_read() {
        for (files, limit) in [
            (&[("memory.max", "max\n")][..], None),
            (&[("memory.max", "1048576\n")], Some(1 << 20)),
            (&[("memory.limit_in_bytes", "9223372036854771712\n")], None),
            (&[("memory.limit_in_bytes", "2097152\n")], Some(2 << 20)),
            (&[], None),
        ] {
            assert_eq!(memory(folder(files).path()), limit, "{files:?}");
        }
        for (files, limit) in [
            (&[("cpu.max", "max 100000\n")][..], None),
            (&[("cpu.max", "150000 100000\n")], Some(1.5)),
            (&[("cpu.cfs_quota_us", "-1\n"), ("cpu.cfs_period_us", "100000\n")], None),
            (&[("cpu.cfs_quota_us", "50000\n"), ("cpu.cfs_period_us", "100000\n")], Some(0.5)),
            (&[("cpu.cfs_quota_us", "50000\n")], None),
            (&[("cpu.max", "1\n")], None),
            (&[], None),
        ] {
            assert_eq!(cpu(folder(files).path()), limit, "{files:?}");
        }
        assert_eq!(memory(Path::new("/nonexistent")), None);
    }

    #[test]
    fn the_least_limit_counts() {
        assert_eq!(least(Some(3), Some(2), u64::min), Some(2));
        assert_eq!(least(None, Some(2), u64::min), Some(2));
        assert_eq!(least(Some(3), None, u64::min), Some(3));
        assert_eq!(least(None, None, u64::min), None);
    }
}
