//! Trees of processes: what belongs to one, and ending it.
//!
//! A tree is a child and all that comes from it. What comes from it is found by any of
//!
//! * its **session**: a child leads one, and descendants stay in it unless they make their own;
//! * its **mark**: a number in the soft limit RLIMIT_LOCKS, which Linux has not used since 2.4.25. It is inherited over
//!   `fork` and `exec`, and everybody can read it (`proc_pid_limits(5)`);
//! * the **chain** of parents.
//!
//! Control groups are not used: entering one takes as long as starting the program does (0.8 ms, and 18 ms at times,
//! measured on Linux 6.18, as the kernel waits for all its processors), and few containers may make any.
//!
//! So a daemon that has forked twice and made its own session is still found, by its mark. What slips out of its tree, and
//! is ended with the server only: a process that has changed its mark *and* left the session *and* lost its parent.
//!
//! | file | what it holds |
//! |---|---|
//! | `table` | the processes of the machine at one moment |
//! | `mark` | numbers for marks, and reading them |
//! | `members` | who belongs to a tree |
//! | `hunt` | ending one tree, round by round |
//! | `chase` | killing those that don't stand still |
//! | `hunter` | the thread that does it |

mod chase;
mod hunt;
mod hunter;
mod mark;
mod members;
mod table;

use rustix::process::Pid;

pub(super) use hunt::Goal;
pub(super) use hunter::Hunter;
pub(super) use mark::{Marks, limit};
pub(super) use table::Table;

/// Names a tree for good: pids are used again, marks are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree {
    /// The child that leads it, its session and its group.
    pub(super) leader: Pid,
    /// Its mark.
    pub(super) mark: u64,
}
