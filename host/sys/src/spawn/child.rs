//! The child's way from `clone` to its program.
//!
//! Everything here runs in memory that it shares with the server, while the thread that made it stands still (see
//! `clone` in the parent module). So nothing allocates, locks, unwinds or returns; every call is a bare system call or a
//! wrapper that POSIX lists as async-signal-safe. Changing the user goes past the C library, which would change it for
//! the server's threads too.

use std::ffi::{c_int, c_long, c_void};
use std::os::fd::RawFd;
use std::sync::atomic::Ordering;

use super::Stage;
use super::order::Prepared;

/// Number of signals of every Linux this is built for.
const SIGNALS: c_int = 64;

/// `CLOSE_RANGE_CLOEXEC` of `close_range(2)`: Linux 5.11.
const CLOSE_RANGE_CLOEXEC: c_long = 4;

/// What `clone` calls. `argument` is the [`Prepared`] of the parent.
pub(super) extern "C" fn run(argument: *mut c_void) -> c_int {
    // SAFETY: the parent passes its `Prepared`, which stands still as long as this runs. It is only read here, but for
    // its atomic numbers.
    let prepared = unsafe { &*argument.cast::<Prepared<'_>>() };
    // SAFETY: this is the child that the functions below ask for.
    let Err((stage, errno)) = unsafe { become_program(prepared) };
    prepared.stage.store(stage as c_int, Ordering::SeqCst);
    prepared.errno.store(errno, Ordering::SeqCst);
    // SAFETY: ends this process and nothing else; no handlers of the C library's run.
    unsafe { libc::_exit(127) }
}

type Failure = (Stage, c_int);

/// # Safety
/// For all functions below: only in a child that was made with `CLONE_VM | CLONE_VFORK`, without `CLONE_FILES`,
/// `CLONE_FS` and `CLONE_SIGHAND`, and with all signals blocked; `prepared` must be intact. Then descriptors, signal
/// dispositions, limits and ids that they change are the child's own.
unsafe fn become_program(prepared: &Prepared<'_>) -> Result<std::convert::Infallible, Failure> {
    // SAFETY: by the contract of this function; the pointers are to texts and arrays of the order, each ended by a null.
    unsafe {
        reset_signals();
        be_easy_prey(prepared);
        // Limits first: whoever sees the child in a session of its own sees them too.
        limit(prepared)?;
        check(libc::setsid(), Stage::Prepare)?;
        if !prepared.terminal.is_null() {
            take_terminal(prepared)?;
        }
        become_user(prepared)?;
        if let Some(directory) = prepared.directory {
            check(libc::fchdir(directory), Stage::Directory)?;
        }
        // Nothing is opened from here on but the program, and the descriptor is still where it was.
        confine(prepared)?;
        let program = place_descriptors(prepared)?;
        let none = 0_u64;
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const none, std::ptr::null_mut::<u64>(), 8);
        Err((Stage::Program, execute(prepared, program)))
    }
}

/// Every signal at its default, those that were ignored too. Past the C library, which keeps two for itself.
unsafe fn reset_signals() {
    // The kernel's structure: handler, flags, restorer, mask. All zero is the default handler.
    let default = [0_u64; 4];
    for signal in 1..=SIGNALS {
        // SAFETY: reads 32 bytes, writes none. SIGKILL and SIGSTOP answer EINVAL.
        unsafe {
            libc::syscall(libc::SYS_rt_sigaction, signal, &raw const default, std::ptr::null_mut::<u64>(), 8);
        }
    }
}

/// As nothing is forked yet, all that comes from the child has it too. A child of `vfork` that writes its own changes no
/// other process, although it shares memory with one (Linux, `fs/proc/base.c`, `__set_oom_adj`).
unsafe fn be_easy_prey(prepared: &Prepared<'_>) {
    let Some(score) = prepared.oom_score_adj else { return };
    // SAFETY: both texts end in NUL; the descriptor is closed on exec.
    unsafe {
        let file = libc::open(c"/proc/self/oom_score_adj".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if file >= 0 {
            libc::write(file, score.as_ptr().cast(), score.count_bytes());
            libc::close(file);
        }
    }
}

unsafe fn limit(prepared: &Prepared<'_>) -> Result<(), Failure> {
    for (resource, limit) in &prepared.limits {
        // SAFETY: reads one `rlimit64`; 0 is this process.
        let done = unsafe {
            libc::syscall(
                libc::SYS_prlimit64,
                0,
                *resource,
                std::ptr::from_ref(limit),
                std::ptr::null_mut::<libc::rlimit64>(),
            )
        };
        check(done, Stage::Prepare)?;
    }
    Ok(())
}

/// A session's leader that opens a terminal gets it as the controlling one.
unsafe fn take_terminal(prepared: &Prepared<'_>) -> Result<(), Failure> {
    // SAFETY: `terminal` is a text of the order.
    unsafe {
        let terminal = check(libc::open(prepared.terminal, libc::O_RDWR | libc::O_CLOEXEC), Stage::Terminal)?;
        check(libc::ioctl(terminal, libc::TIOCSCTTY, 0), Stage::Terminal)?;
        // Out of the way of the three, whose flag is off after this.
        let moved = check(libc::fcntl(terminal, libc::F_DUPFD_CLOEXEC, prepared.floor), Stage::Terminal)?;
        for number in 0..3 {
            check(libc::dup2(moved, number), Stage::Terminal)?;
        }
    }
    Ok(())
}

/// Groups first, while the right to change them is still there.
unsafe fn become_user(prepared: &Prepared<'_>) -> Result<(), Failure> {
    let Some(user) = prepared.user else { return Ok(()) };
    // SAFETY: the array has as many numbers as said; the calls change this process alone, as they go past the C library.
    unsafe {
        check(libc::syscall(libc::SYS_setgroups, user.groups.len(), user.groups.as_ptr()), Stage::User)?;
        check(libc::syscall(libc::SYS_setresgid, user.group, user.group, user.group), Stage::User)?;
        check(libc::syscall(libc::SYS_setresuid, user.id, user.id, user.id), Stage::User)?;
    }
    Ok(())
}

/// Only what has given up all privileges to come may bound itself.
unsafe fn confine(prepared: &Prepared<'_>) -> Result<(), Failure> {
    let Some(rules) = prepared.confinement else { return Ok(()) };
    // SAFETY: both calls change this thread alone, which is the whole of its process.
    unsafe {
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1_u64, 0_u64, 0_u64, 0_u64), Stage::Prepare)?;
        check(libc::syscall(libc::SYS_landlock_restrict_self, rules, 0), Stage::Prepare)?;
    }
    Ok(())
}

/// Gives each descriptor its number and marks all others as closed on exec. The program's descriptor, which may have
/// had to make way.
unsafe fn place_descriptors(prepared: &Prepared<'_>) -> Result<RawFd, Failure> {
    let floor = prepared.floor;
    // SAFETY: descriptors of this process alone, whose table is a copy of the server's.
    unsafe {
        // First everything out of the way of everything else.
        let clear = |descriptor: RawFd| {
            if descriptor >= floor {
                return Ok(descriptor);
            }
            check(libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, floor), Stage::Prepare)
        };
        let program = clear(prepared.program)?;
        for (source, _, moved) in &prepared.descriptors {
            moved.store(clear(*source)?, Ordering::Relaxed);
        }
        let mut next = 3;
        for (_, number, moved) in &prepared.descriptors {
            // Never the same number twice, so the copy is not closed on exec.
            check(libc::dup2(moved.load(Ordering::Relaxed), *number), Stage::Prepare)?;
            if *number >= 3 {
                close_on_exec(next, *number - 1, prepared.most_descriptors);
                next = *number + 1;
            }
        }
        close_on_exec(next, RawFd::MAX, prepared.most_descriptors);
        Ok(program)
    }
}

/// The server opens everything so that it is closed on exec; this is for what a library may have opened otherwise.
unsafe fn close_on_exec(first: RawFd, last: RawFd, most: RawFd) {
    if first > last {
        return;
    }
    // SAFETY: flags of this process's descriptors.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, CLOSE_RANGE_CLOEXEC) != 0 {
            for descriptor in first..=last.min(most) {
                libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
    }
}

/// Comes back only with the reason why not.
unsafe fn execute(prepared: &Prepared<'_>, program: RawFd) -> c_int {
    let (argv, environment) = (prepared.argv.as_ptr(), prepared.environment.as_ptr());
    // SAFETY: texts and arrays of the order.
    unsafe {
        libc::syscall(libc::SYS_execveat, program, c"".as_ptr(), argv, environment, libc::AT_EMPTY_PATH);
        let refused = *libc::__errno_location();
        // ENOENT is how the kernel says that an interpreter would have to open a descriptor that is closed by then, and
        // also that there is no interpreter.
        if refused != libc::ENOENT && refused != libc::ENOSYS {
            return refused;
        }
        let mut facts = std::mem::zeroed::<libc::stat>();
        if libc::stat(prepared.path, &raw mut facts) != 0 {
            return *libc::__errno_location();
        }
        if (facts.st_dev, facts.st_ino) != prepared.identity {
            return libc::ESTALE;
        }
        libc::execve(prepared.path, argv, environment);
        *libc::__errno_location()
    }
}

/// The result of a call, or what the kernel said.
fn check<T: Copy + PartialOrd + From<i8>>(result: T, stage: Stage) -> Result<T, Failure> {
    if result < T::from(0) {
        // SAFETY: the calling thread's own number.
        return Err((stage, unsafe { *libc::__errno_location() }));
    }
    Ok(result)
}
