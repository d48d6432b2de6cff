//! Reaping what was orphaned: as PID 1, or as sub-reaper, this process gets the children of those that ended before them.
//!
//! One task of the supervisor's. SIGCHLD wakes it; a moment later, when the owners of children have reaped theirs, it asks
//! the kernel for ended children and reaps those that nobody owns. Where one hides behind a child that its owner leaves
//! unreaped, all processes are looked at, rarely.

use std::io;
use std::time::Duration;

use rustix::process::{Pid, getpid};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;

use super::ledger::{self, Look};
use super::tree::Table;

/// From a signal to the look: many children that end together are one look.
const GATHER: Duration = Duration::from_millis(20);

/// Orphans reaped in one go.
const AT_ONCE: usize = 256;

/// Looks that find somebody else's child before all processes are looked at.
const PATIENCE: u32 = 5;

pub(super) struct Reaper {
    signals: Signal,
}

impl Reaper {
    pub(super) fn new() -> io::Result<Self> {
        // Takes the place of an inherited SIG_IGN, too, under which nobody would learn how a child ended.
        Ok(Self { signals: signal(SignalKind::child())? })
    }

    pub(super) async fn run(mut self) {
        while self.signals.recv().await.is_some() {
            let mut hidden = 0;
            loop {
                sleep(GATHER * (hidden + 1)).await;
                match reap() {
                    Look::Nothing => break,
                    Look::Reaped => {}
                    Look::Waiting if hidden < PATIENCE => hidden += 1,
                    Look::Waiting => {
                        // Reads hundreds of small files.
                        let _ = tokio::task::spawn_blocking(reap_hidden).await;
                        break;
                    }
                }
            }
        }
    }
}

/// Reaps what the kernel shows.
fn reap() -> Look {
    for _ in 0..AT_ONCE {
        match ledger::reap_orphan() {
            Look::Reaped => {}
            other => return other,
        }
    }
    Look::Reaped
}

/// Reaps what it does not show.
fn reap_hidden() {
    let Ok(table) = Table::read() else { return };
    let own = getpid().as_raw_nonzero().get();
    let ended = table.below(own).into_iter().filter(|row| row.parent == own && !row.is_alive());
    for pid in ended.filter_map(|row| Pid::from_raw(row.pid)) {
        let _ = ledger::reap_if_orphan(pid);
    }
}
