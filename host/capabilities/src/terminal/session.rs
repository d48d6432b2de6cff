//! One session.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use rustix::process::{Signal, kill_process_group};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::input::Input;
use super::output::Output;
use super::pty::{Master, Size};
use crate::process::Child;

/// A session as it is at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Its name: 12 lower-case hexadecimal digits.
    pub id: Arc<str>,
    /// The shell.
    pub pid: u32,
    /// When it was opened.
    pub created: SystemTime,
    /// The last size that was accepted.
    pub size: Size,
    /// Whether the shell runs.
    pub alive: bool,
}

/// See the module. Locks are held for moments.
pub(super) struct Session {
    pub(super) id: Arc<str>,
    /// Id of the identity that opened it.
    pub(super) owner: Arc<str>,
    pub(super) child: Child,
    pub(super) output: Output,
    pub(super) input: Input,
    /// It has left the table.
    pub(super) gone: CancellationToken,
    created: SystemTime,
    size: Mutex<Size>,
    active: Mutex<Instant>,
    /// As long as the terminal is there.
    master: Mutex<Option<Arc<Master>>>,
}

impl Session {
    pub(super) fn new(id: Arc<str>, owner: Arc<str>, child: Child, master: Arc<Master>, size: Size) -> Self {
        Self {
            id,
            owner,
            child,
            output: Output::default(),
            input: Input::default(),
            gone: CancellationToken::new(),
            created: SystemTime::now(),
            size: Mutex::new(size),
            active: Mutex::new(Instant::now()),
            master: Mutex::new(Some(master)),
        }
    }

    pub(super) fn describe(&self) -> Terminal {
        Terminal {
            id: Arc::clone(&self.id),
            pid: self.child.pid(),
            created: self.created,
            size: self.size(),
            alive: self.is_alive(),
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        self.child.exit().is_none()
    }

    pub(super) fn size(&self) -> Size {
        *locked(&self.size)
    }

    /// Somebody has done something.
    pub(super) fn touch(&self) {
        *locked(&self.active) = Instant::now();
    }

    /// When it will have been idle for so long; `None` while a client is attached (contract: terminal, idle timeout).
    pub(super) fn idle_at(&self, limit: Duration) -> Option<Instant> {
        (self.output.clients() == 0).then(|| *locked(&self.active) + limit)
    }

    pub(super) fn master(&self) -> Option<Arc<Master>> {
        locked(&self.master).clone()
    }

    pub(super) fn resize(&self, size: Size) {
        self.touch();
        let mut current = locked(&self.size);
        *current = size;
        if let Some(master) = self.master() {
            master.resize(size);
        }
    }

    /// Sends a signal to the group in the foreground, or to the shell's own where there is none.
    pub(super) fn signal(&self, signal: Signal) {
        self.touch();
        // A number that the terminal still knows may be another group's once the shell has ended.
        if !self.is_alive() {
            return;
        }
        // Whoever has just ended needs no signal.
        let _ = match self.master().and_then(|master| master.foreground()) {
            Some(group) => kill_process_group(group, signal).map_err(Into::into),
            None => self.child.signal_group(signal),
        };
    }

    /// Types bytes; waits for room.
    pub(super) async fn type_in(&self, bytes: &[u8]) {
        self.touch();
        if let Some(master) = self.master() {
            self.input.push(bytes, &|bytes| master.write(bytes)).await;
        }
    }

    /// Nothing more comes: clients are told, and the terminal closes.
    pub(super) fn end(&self, exit: crate::process::Exit) {
        self.input.end();
        locked(&self.master).take();
        self.output.end(exit);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
