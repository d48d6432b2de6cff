//! Starting a program, as `posix_spawn` does it: the child shares the server's memory until it runs the program, and the
//! calling thread stands still meanwhile. Copying a server with large mappings, as `fork` does, would take much longer.
//!
//! | file | what it holds |
//! |---|---|
//! | `order` | what is to be started, and the arrays that the child reads |
//! | `child` | the child's way from `clone` to the program |
//! | `stack` | the memory that it runs on |

mod child;
mod order;
mod stack;

use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::Ordering;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

pub use order::{Limit, Order, User};

use order::Prepared;
use stack::Stack;

/// A child that runs its program. It is not reaped by anybody but its owner.
#[derive(Debug)]
pub struct Started {
    /// Its id, good until it is reaped.
    pub pid: Pid,
    /// A handle that never means another process; readable once the child has ended (`pidfd_open(2)`).
    pub handle: OwnedFd,
}

/// What a child that could not run its program had come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Stage {
    /// The parent's part: memory, the child itself.
    Clone = 0,
    /// Session, descriptors, limits.
    Prepare = 1,
    /// The controlling terminal.
    Terminal = 2,
    /// Becoming another user.
    User = 3,
    /// Entering the directory.
    Directory = 4,
    /// Running the program.
    Program = 5,
}

/// Why no program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{errno}")]
pub struct SpawnError {
    /// Where it failed.
    pub stage: Stage,
    /// What the kernel said.
    pub errno: Errno,
}

/// Start a program. Blocks until it runs, or until it is known not to: with a slow file system that can be long.
///
/// The child leads a session and a process group of its own, has every signal at its default and none blocked, and no
/// descriptors but those of the order. The umask is inherited.
///
/// # Errors
/// See [`SpawnError`]. Nothing is left of the child then.
pub fn spawn(order: &Order<'_>) -> Result<Started, SpawnError> {
    let in_parent = |errno| SpawnError { stage: Stage::Clone, errno };
    let prepared = Prepared::of(order).map_err(in_parent)?;
    let stack = Stack::new().map_err(in_parent)?;
    let (pid, handle) = clone(&prepared, &stack).map_err(in_parent)?;
    if let Some(failure) = prepared.failure() {
        reap(pid);
        return Err(failure);
    }
    let handle = match handle {
        Some(handle) => handle,
        // A kernel before 5.2 does not know the flag. The child is not reaped, so its id is still its own.
        None => rustix::process::pidfd_open(pid, PidfdFlags::empty()).map_err(|errno| {
            // Without a handle it can't be owned.
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            reap(pid);
            in_parent(errno)
        })?,
    };
    Ok(Started { pid, handle })
}

/// Wait for a child that has ended by itself, or is about to. Signals are open here, so the wait may be interrupted.
fn reap(pid: Pid) {
    while matches!(rustix::process::waitpid(Some(pid), WaitOptions::empty()), Err(Errno::INTR)) {}
}

/// Make the child, and stand still until it runs its program or has ended.
fn clone(prepared: &Prepared<'_>, stack: &Stack) -> Result<(Pid, Option<OwnedFd>), Errno> {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    let everything = u64::MAX;
    let mut before = 0_u64;
    let mut handle: RawFd = -1;
    // SAFETY: `rt_sigprocmask` reads and writes the 8 bytes that the kernel's signal sets have.
    //
    // `clone` runs `child::run` on memory that nothing else uses, with its guard page below, and gives it a pointer to
    // `prepared`. CLONE_VFORK keeps this thread from going on, and so `prepared` and `stack` from going away, until the
    // child has given up the shared memory by `execve` or by its end. Until then the child
    //   * runs no handler of the server's: every signal, the C library's own too, is blocked from before `clone` until
    //     it has set all of them to their defaults;
    //   * allocates nothing, takes no lock and can't unwind: it makes system calls through wrappers that POSIX calls
    //     async-signal-safe, or through `syscall`, and those write nothing but `errno`, which is this thread's and
    //     unused while it stands still;
    //   * changes no memory but its stack and the atomic numbers in `prepared`.
    // The C library's caches of process and thread ids are not asked in the child.
    let pid = unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const everything, &raw mut before, 8);
        let argument = ptr::from_ref(prepared).cast_mut().cast();
        let pid = libc::clone(child::run, stack.top(), flags, argument, &raw mut handle);
        // Read before anything else can change it.
        let errno = Errno::from_raw_os_error(*libc::__errno_location());
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const before, ptr::null_mut::<u64>(), 8);
        if pid == -1 { Err(errno) } else { Ok(pid) }
    }?;
    // SAFETY: the kernel put the descriptor there for this process, and nobody else knows of it. It stays -1 where the
    // kernel does not know the flag.
    let handle = (handle >= 0).then(|| unsafe { OwnedFd::from_raw_fd(handle) });
    // A new process has a positive id.
    let pid = Pid::from_raw(pid).ok_or(Errno::SRCH)?;
    std::sync::atomic::fence(Ordering::SeqCst);
    Ok((pid, handle))
}
