//! Looking at children that have ended.

use rustix::process::Pid;

/// A child of this process that has ended and is not reaped yet, whoever it belongs to. It stays as it is. Does not
/// wait.
#[must_use]
pub fn ended_child() -> Option<Pid> {
    // SAFETY: all zero is a valid `siginfo_t`, and `waitid` writes at most that. With WNOWAIT nothing is taken from
    // whoever waits for that child.
    let pid = unsafe {
        let mut found = std::mem::zeroed::<libc::siginfo_t>();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        if libc::waitid(libc::P_ALL, 0, &raw mut found, flags) != 0 {
            return None;
        }
        // Zero when there is none (`waitid(2)`, NOTES); all children that are told of have it.
        found.si_pid()
    };
    Pid::from_raw(pid)
}
