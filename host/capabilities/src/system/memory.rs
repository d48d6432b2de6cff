//! How full the memory is.

use std::fs::File;
use std::io::{BufRead, BufReader};

use rustix::process::{Resource, getrlimit};

/// The machine's memory in KiB, whatever the control group may use of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// All of it.
    pub total: u64,
    /// What could be had without swapping.
    pub available: u64,
}

impl Memory {
    /// From `/proc/meminfo`; without it the process's own limit, 0 where it has none (`contract: system`).
    pub(super) fn now() -> Self {
        let read = File::open("/proc/meminfo").ok().and_then(|file| Self::from_table(BufReader::new(file)));
        read.unwrap_or_else(|| Self {
            total: getrlimit(Resource::As).current.map_or(0, |bytes| bytes / 1024),
            available: 0,
        })
    }

    /// Only these two lines are looked for: kernels other than Linux's own leave many of the rest out.
    fn from_table(table: impl BufRead) -> Option<Self> {
        let (mut total, mut available) = (None, None);
        for line in table.lines().map_while(Result::ok) {
            let (name, value) = line.split_once(':')?;
            let kib = || value.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok();
            match name {
                "MemTotal" => total = kib(),
                "MemAvailable" => available = kib(),
                _ => {}
            }
            if let (Some(total), Some(available)) = (total, available) {
                return Some(Self { total, available });
            }
        }
        total.map(|total| Self { total, available: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn two_lines_of_the_table_count() {
        let table = "MemTotal:       24683652 kB\nMemFree:         1 kB\nMemAvailable:   22956000 kB\nX: y\n";
        let expected = Memory { total: 24_683_652, available: 22_956_000 };
        assert_eq!(Memory::from_table(table.as_bytes()), Some(expected));
        assert_eq!(Memory::from_table(&b"MemTotal: 5 kB\n"[..]), Some(Memory { total: 5, available: 0 }));
        for text in ["", "MemTotal: x kB\n", "no table"] {
            assert_eq!(Memory::from_table(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_machine_has_memory() {
        let now = Memory::now();
        assert!(now.total >= 1024 && now.available <= now.total, "{now:?}");
    }
}
