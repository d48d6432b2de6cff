//! What the machine is, and how busy.

use nix::unistd::{SysconfVar, sysconf};
use procfs::{Current, LoadAverage};
use rustix::system::uname;

use super::disk::Disk;
use super::limits::Limits;
use super::memory::Memory;

/// The machine at one moment. What can't be told is 0 or `None`; nothing here fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Name of the kernel, such as `Linux`.
    pub os: String,
    /// Hardware that it runs on, such as `x86_64`.
    pub arch: String,
    /// Name of the machine.
    pub hostname: String,
    /// Processors that are online, whatever this process may use of them. 0: it can't be told.
    pub cpus: u32,
    /// The memory.
    pub memory: Memory,
    /// The file system of `/`.
    pub disk: Option<Disk>,
    /// Load averages over 1, 5 and 15 minutes.
    pub load: (f64, f64, f64),
    /// What the control group may use of all that.
    pub limits: Limits,
}

/// Look at the machine.
#[must_use]
pub fn facts() -> Facts {
    let name = uname();
    let text = |text: &std::ffi::CStr| text.to_string_lossy().into_owned();
    let online = sysconf(SysconfVar::_NPROCESSORS_ONLN).ok().flatten();
    let load = LoadAverage::current()
        .map_or((0.0, 0.0, 0.0), |load| (f64::from(load.one), f64::from(load.five), f64::from(load.fifteen)));
    Facts {
        os: text(name.sysname()),
        arch: text(name.machine()),
        hostname: text(name.nodename()),
        cpus: online.and_then(|count| u32::try_from(count).ok()).unwrap_or(0),
        memory: Memory::now(),
        disk: Disk::of_root(),
        load,
        limits: Limits::now(),
    }
}
