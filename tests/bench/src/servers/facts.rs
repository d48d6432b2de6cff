//! What the kernel says of a process.

use std::fs;
use std::time::Duration;

use super::ServerError;

/// Memory of a process, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Resident now.
    pub resident: u64,
    /// The most that ever was.
    pub peak: u64,
}

/// CPU time that a process has used, in user mode and in the kernel, by all its threads.
///
/// # Errors
/// The process is gone.
pub fn cpu(pid: u32) -> Result<Duration, ServerError> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    let ticks = text.as_deref().and_then(ticks).ok_or(ServerError::Untold { what: "the CPU time", pid })?;
    Ok(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// Fields 14 and 15: user and system time.
fn ticks(stat: &str) -> Option<u64> {
    // The name before it may hold anything, brackets and blanks too.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    user.checked_add(system)
}

/// Memory of a process.
///
/// # Errors
/// The process is gone.
pub fn memory(pid: u32) -> Result<Memory, ServerError> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let figure = |name| kilobytes(&text, name).map(|kilobytes| kilobytes << 10);
    match (figure("VmRSS:"), figure("VmHWM:")) {
        (Some(resident), Some(peak)) => Ok(Memory { resident, peak }),
        _ => Err(ServerError::Untold { what: "the memory", pid }),
    }
}

fn kilobytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{cpu, kilobytes, memory, ticks};

    #[test]
    fn times_stand_behind_the_name() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 100 0 0 0 12 30 0 0 20 0 4 0 55 1000 200 0";
        assert_eq!(ticks(stat), Some(42));
        assert_eq!(ticks("7 (a) S 1"), None);
    }

    #[test]
    fn memory_is_given_in_kilobytes() {
        assert_eq!(kilobytes("VmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n", "VmRSS:"), Some(1024));
        assert_eq!(kilobytes("Name:\tx\n", "VmRSS:"), None);
    }

    #[test]
    fn the_kernel_tells_of_this_process() {
        let own = memory(std::process::id()).unwrap();
        assert!(own.resident > 0 && own.peak >= own.resident);
        assert!(cpu(std::process::id()).unwrap() < Duration::from_secs(3600));
        assert!(cpu(u32::MAX).is_err() && memory(u32::MAX).is_err());
    }
}
