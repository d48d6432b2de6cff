//! Which children of this process somebody owns.
//!
//! Children belong to a process, not to a value in it, so there is one ledger for the process, behind a lock that is held
//! for a few system calls that do not wait. It is what keeps three things from getting in each other's way:
//!
//! * a child's **owner** reaps it, and strikes it out in the same step;
//! * a **signal** to a pid is sent while the ledger is held and has that pid, so never to a process that was given the
//!   number later;
//! * **orphans** that this process adopts (as PID 1, or as sub-reaper) are reaped by pid if nobody owns them. A child that
//!   was started but is not entered yet may be ended by now; it is not taken for an orphan, since every start takes a
//!   ticket first.
//!
//! A child that stays in this process's own session belongs to whoever started it beside the supervisor, as the compiler
//! is by `std::process`: it is never reaped here. Children of the supervisor, and whatever they leave behind, have
//! sessions of their own.

use std::collections::{BTreeSet, HashMap};
use std::os::fd::BorrowedFd;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getsid, waitid};

use super::exit::Exit;

static LEDGER: LazyLock<Mutex<Ledger>> = LazyLock::new(Mutex::default);

/// Number of a supervisor, for its children's marks.
pub(super) type Owner = u32;

#[derive(Default)]
struct Ledger {
    /// Every child that is not reaped yet.
    children: HashMap<Pid, Owner>,
    owners: BTreeSet<Owner>,
    /// Starts under way.
    tickets: BTreeSet<u64>,
    next_ticket: u64,
    /// An ended child that nobody had entered, and the first ticket that can't have been for it.
    suspect: Option<(Pid, u64)>,
}

fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A supervisor begins; `false` if the number is taken.
pub(super) fn begin(owner: Owner) -> bool {
    ledger().owners.insert(owner)
}

/// A supervisor is gone, with all it owned.
pub(super) fn end(owner: Owner) {
    ledger().owners.remove(&owner);
}

/// A start under way. Given back when dropped.
pub(super) struct Ticket(u64);

impl Ticket {
    pub(super) fn take() -> Self {
        let mut ledger = ledger();
        let number = ledger.next_ticket;
        ledger.next_ticket = number.wrapping_add(1);
        ledger.tickets.insert(number);
        Self(number)
    }

    /// The child is there, and owned.
    pub(super) fn enter(self, pid: Pid, owner: Owner) {
        ledger().children.insert(pid, owner);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        ledger().tickets.remove(&self.0);
    }
}

/// Strikes a child out that its owner can't keep: once it has ended it is reaped like an orphan.
pub(super) fn disown(pid: Pid) {
    ledger().children.remove(&pid);
}

/// Whether a start is under way.
pub(super) fn is_starting() -> bool {
    !ledger().tickets.is_empty()
}

/// Whose child it is, if it is not reaped yet.
pub(super) fn owner(pid: Pid) -> Option<Owner> {
    ledger().children.get(&pid).copied()
}

/// Whether a supervisor of this process has that number.
pub(super) fn is_owner(owner: Owner) -> bool {
    ledger().owners.contains(&owner)
}

/// Reaps the child if it has ended. To be called by its owner only.
pub(super) fn reap(pid: Pid, handle: BorrowedFd<'_>) -> Option<Exit> {
    let mut ledger = ledger();
    let exit = match waitid(WaitId::PidFd(handle), WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
        Ok(status) => Exit::of(&status?),
        Err(Errno::INTR) => return None,
        // Somebody else has reaped it, so nobody will ever know.
        Err(_) => Exit::KILLED,
    };
    ledger.children.remove(&pid);
    Some(exit)
}

/// Sends a signal to the group that a child leads. The number is that group's as long as the child is not reaped.
///
/// # Errors
/// `ESRCH` if it has ended and was reaped; what the kernel says.
pub(super) fn signal_group(pid: Pid, signal: Signal) -> Result<(), Errno> {
    let ledger = ledger();
    if !ledger.children.contains_key(&pid) {
        return Err(Errno::SRCH);
    }
    rustix::process::kill_process_group(pid, signal)
}

/// What a look for orphans came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// No child has ended that is not reaped.
    Nothing,
    /// One was reaped; there may be more.
    Reaped,
    /// One waits for its owner, or for a start to be entered. Others may be hidden behind it.
    Waiting,
}

/// Reaps one orphan, if the kernel shows one.
pub(super) fn reap_orphan() -> Look {
    let mut ledger = ledger();
    match abxd_sys::wait::ended_child() {
        None => Look::Nothing,
        Some(pid) => ledger.reap_unless_owned(pid),
    }
}

/// The same for a child that is known to have ended.
pub(super) fn reap_if_orphan(pid: Pid) -> Look {
    ledger().reap_unless_owned(pid)
}

impl Ledger {
    fn reap_unless_owned(&mut self, pid: Pid) -> Look {
        if self.children.contains_key(&pid) || getsid(Some(pid)).ok() == getsid(None).ok() {
            return Look::Waiting;
        }
        let cleared = match self.suspect {
            Some((suspect, limit)) if suspect == pid => self.tickets.first().is_none_or(|oldest| *oldest >= limit),
            _ => self.tickets.is_empty(),
        };
        if !cleared {
            if self.suspect.is_none_or(|(suspect, _)| suspect != pid) {
                self.suspect = Some((pid, self.next_ticket));
            }
            return Look::Waiting;
        }
        self.suspect = None;
        // By its pid, and only if it has ended: should there be nothing to reap after all, nothing is.
        match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(_)) => Look::Reaped,
            _ => Look::Waiting,
        }
    }
}
