//! Ending one tree, round by round. A round reads the machine's processes once, signals, and says when to look again.
//!
//! SIGTERM goes to everybody found at first; what is forked later is left alone (a handler may need a child to clean up)
//! until the grace is over. SIGKILL goes to a tree that stands still: members are stopped until a round finds no new one,
//! so that none is made while others are killed and no chain of parents breaks before it has been followed. Whoever
//! forks faster than can be followed is killed as found instead, which needs no chain as long as the mark is there; and
//! chased (see there), if that does not do.
//!
//! A process is signalled by a descriptor that was checked, after it was opened, to be the one that was found.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::sync::oneshot;

use super::chase::chase;
use super::members::Quarry;
use super::table::{Row, Table};
use crate::process::ledger;

/// How a tree is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::process) enum Goal {
    /// SIGTERM, this much time, SIGKILL.
    End(Duration),
    /// SIGHUP, SIGCONT and SIGTERM, as when a terminal is gone, this much time, SIGKILL.
    HangUp(Duration),
    /// SIGKILL.
    Kill,
}

/// Rounds and time to make a tree stand still.
const STOP_ROUNDS: u32 = 8;
const STOP_TIME: Duration = Duration::from_millis(300);

/// Time to kill it. What is left then hangs in the kernel, or forks faster than this thread gets to run.
const KILL_TIME: Duration = Duration::from_secs(5);

/// Rounds of it before those that are left are chased.
const KILL_ROUNDS: u32 = 2;

/// Looks that have to find nobody, where processes began meanwhile and one may have been missed.
const EMPTY: u32 = 4;

/// Time between two looks at a tree that has been told to end.
const LOOK: Duration = Duration::from_millis(10);

/// The same while it is being killed.
const QUICK_LOOK: Duration = Duration::from_millis(1);

/// What a round came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// Nothing is left, or nothing more can be done.
    Over,
    /// Another is needed, after this time.
    Again(Duration),
}

#[derive(Debug)]
enum Stage {
    Begin,
    Ending { until: Instant },
    Stopping { since: Instant, rounds: u32, stopped: HashSet<(i32, u64)> },
    Killing { since: Instant, rounds: u32 },
}

/// One quarry, and who waits for its end.
#[derive(Debug)]
pub(super) struct Hunt {
    quarry: Quarry,
    goal: Goal,
    stage: Stage,
    /// Looks in a row that found nobody.
    empty: u32,
    waiting: Vec<oneshot::Sender<()>>,
}

impl Hunt {
    pub(super) const fn new(quarry: Quarry, goal: Goal) -> Self {
        Self { quarry, goal, stage: Stage::Begin, empty: 0, waiting: Vec::new() }
    }

    /// Somebody else wants it too, and waits. What is quicker counts.
    pub(super) fn join(&mut self, goal: Goal, waiter: Option<oneshot::Sender<()>>) {
        if goal == Goal::Kill && self.goal != Goal::Kill {
            self.goal = goal;
            self.stage = Stage::Begin;
        }
        // Those that have left make room.
        self.waiting.retain(|waiting| !waiting.is_closed());
        self.waiting.extend(waiter);
    }

    /// The same for somebody else's hunt of the same quarry.
    pub(super) fn merge(&mut self, mut other: Self) {
        self.join(other.goal, None);
        self.waiting.append(&mut other.waiting);
    }

    pub(super) fn round(&mut self, table: &Table) -> Round {
        let members = self.quarry.members(table);
        self.empty = if members.is_empty() { self.empty + 1 } else { 0 };
        if self.empty > 0 && (table.is_exact() || self.empty > EMPTY) {
            return Round::Over;
        }
        let now = Instant::now();
        if let Stage::Begin = self.stage {
            self.stage = match self.goal {
                Goal::Kill => Self::stopping(now),
                Goal::End(grace) => {
                    terminate(&members);
                    Stage::Ending { until: now + grace }
                }
                Goal::HangUp(grace) => {
                    hang_up(&members);
                    Stage::Ending { until: now + grace }
                }
            };
        }
        if let Stage::Ending { until } = self.stage
            && now >= until
        {
            self.stage = Self::stopping(now);
        }
        if let Stage::Stopping { since, rounds, stopped } = &mut self.stage {
            let fresh: Vec<_> = members.iter().filter(|row| stopped.insert((row.pid, row.begun))).collect();
            *rounds += 1;
            let stands = fresh.is_empty() || *rounds > STOP_ROUNDS || now - *since > STOP_TIME;
            if !stands {
                self.quarry.signal_group(Signal::STOP);
                fresh.into_iter().for_each(|row| signal(row, Signal::STOP));
                return Round::Again(Duration::ZERO);
            }
            self.stage = Stage::Killing { since: now, rounds: 0 };
        }
        match &mut self.stage {
            Stage::Killing { since, rounds } => {
                self.quarry.signal_group(Signal::KILL);
                members.iter().for_each(|row| signal(row, Signal::KILL));
                *rounds += 1;
                if *rounds > KILL_ROUNDS {
                    chase(self.quarry);
                }
                if now - *since > KILL_TIME {
                    tracing::warn!(left = members.len(), "processes could not be killed");
                    return Round::Over;
                }
                Round::Again(QUICK_LOOK)
            }
            _ => Round::Again(LOOK),
        }
    }

    fn stopping(now: Instant) -> Stage {
        Stage::Stopping { since: now, rounds: 0, stopped: HashSet::new() }
    }
}

impl Drop for Hunt {
    fn drop(&mut self) {
        for waiting in self.waiting.drain(..) {
            // Whoever has left does not mind.
            let _ = waiting.send(());
        }
    }
}

impl Quarry {
    /// The whole of the leader's group at one moment, also what is being forked. Without a leader there is no such group
    /// to be sure of.
    fn signal_group(self, signal: Signal) {
        if let Self::Tree(tree) = self {
            // An error means that there is none any more.
            let _ = ledger::signal_group(tree.leader, signal);
        }
    }
}

/// A stopped process hears SIGTERM only when it goes on.
fn terminate(members: &[Row]) {
    members.iter().for_each(|row| signal(row, Signal::TERM));
    members.iter().filter(|row| row.is_stopped()).for_each(|row| signal(row, Signal::CONT));
}

/// An interactive shell hears SIGHUP and not SIGTERM; most programs hear either.
fn hang_up(members: &[Row]) {
    for sent in [Signal::HUP, Signal::TERM, Signal::CONT] {
        members.iter().for_each(|row| signal(row, sent));
    }
}

fn signal(row: &Row, signal: Signal) {
    let Some(pid) = Pid::from_raw(row.pid) else { return };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    // What has that pid now has had it since before the descriptor was opened, if it began when the one that was found did.
    if Row::read(row.pid).is_some_and(|now| now.begun == row.begun) {
        // It may have ended meanwhile.
        let _ = pidfd_send_signal(handle, signal);
    }
}
