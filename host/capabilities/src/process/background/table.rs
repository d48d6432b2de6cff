//! The table of processes.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::entry::{Entry, Outputs};
use super::input::Input;
use super::log::Log;
use super::{Page, Process, SignalFailure, StartOptions, WriteFailure};
use crate::process::failure::StartFailure;
use crate::process::launch::{Input as From, Launch, Output, Stdio};
use crate::process::output::Drains;
use crate::process::start::{Spawned, Starter};

/// Processes that run, at most (`contract: process §4`).
const MOST: u32 = 100;

/// Ended processes that are kept (D34).
const KEPT: usize = 256;

/// For how long.
const KEPT_FOR: Duration = Duration::from_secs(3600);

/// How long a start waits for a process that has been asked to end, where there is no room otherwise.
const MOMENT: Duration = Duration::from_millis(250);

/// The processes of the background. Copies are the same table.
#[derive(Clone, Debug)]
pub struct Background {
    table: Arc<Mutex<Table>>,
    /// Told whenever a process has ended.
    ended: Arc<Notify>,
    starter: Arc<Starter>,
    drains: Arc<Drains>,
    patience: Duration,
}

#[derive(Debug, Default)]
struct Table {
    /// In the order of their starts. Some may have ended and not be moved yet.
    running: Vec<Arc<Entry>>,
    /// In the order of their ends.
    ended: VecDeque<(Instant, Arc<Entry>)>,
    reserved: u32,
}

/// Room for one more process. Given back when dropped.
#[derive(Debug)]
pub struct Place {
    table: Arc<Mutex<Table>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.table).reserved -= 1;
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Background {
    pub(in crate::process) fn new(starter: Arc<Starter>, drains: Arc<Drains>, patience: Duration) -> Self {
        Self { table: Arc::default(), ended: Arc::default(), starter, drains, patience }
    }

    /// Room for one more, if fewer than `most` run or have room (100 at most, whatever `most` says). In one step (D36).
    #[must_use]
    pub fn reserve(&self, most: u32) -> Option<Place> {
        let mut table = lock(&self.table);
        let running = table.running.iter().filter(|entry| entry.child.exit().is_none()).count();
        let taken = u32::try_from(running).unwrap_or(u32::MAX).saturating_add(table.reserved);
        if taken >= most.min(MOST) {
            return None;
        }
        table.reserved += 1;
        Some(Place { table: Arc::clone(&self.table) })
    }

    /// The same, but a process that has been asked to end and is about to is waited for, at most a moment: who ends one
    /// and starts another need not ask twice.
    pub async fn reserve_soon(&self, most: u32) -> Option<Place> {
        let wait = async {
            loop {
                let mut ended = pin!(self.ended.notified());
                // Before the look: an end between the two must not be missed.
                ended.as_mut().enable();
                let place = self.reserve(most);
                if place.is_some() || !self.is_any_ending() {
                    return place;
                }
                ended.await;
            }
        };
        timeout(MOMENT, wait).await.unwrap_or(None)
    }

    fn is_any_ending(&self) -> bool {
        lock(&self.table).running.iter().any(|entry| entry.is_asked_to_end())
    }

    /// Starts a process and enters it. Its id.
    ///
    /// # Errors
    /// See [`StartFailure`]. The place is free again then.
    pub async fn start(&self, place: Place, launch: Launch, options: StartOptions) -> Result<u32, StartFailure> {
        let background = self.clone();
        let start = move || background.start_here(place, launch, options);
        // The thread is gone only if the runtime is ending.
        tokio::task::spawn_blocking(start).await.unwrap_or(Err(StartFailure::ShuttingDown))
    }

    /// As [`Background::start`], on a thread that may block, inside the runtime.
    ///
    /// # Errors
    /// As there.
    pub fn start_here(&self, place: Place, launch: Launch, options: StartOptions) -> Result<u32, StartFailure> {
        let output = || if options.capture.is_some() { Output::Pipe } else { Output::Null };
        let stdio = Stdio {
            stdin: if options.stdin { From::Pipe } else { From::Null },
            stdout: output(),
            stderr: output(),
            ..Stdio::null()
        };
        let Spawned { child, stdin, stdout, stderr } = self.starter.start(launch, stdio)?;
        let pid = child.pid();
        let log = options.capture.map(|most| Arc::new(Log::new(most)));
        let outputs = log.clone().map(|log| Outputs::new(log, stdout, stderr));
        let (entry, gone) = Entry::new(options.label, child, log, stdin.map(Input::new));
        let entry = Arc::new(entry);
        {
            let mut table = lock(&self.table);
            table.ended.retain(|(_, entry)| entry.child.pid() != pid);
            table.running.push(Arc::clone(&entry));
        }
        // From here on it counts itself.
        drop(place);
        tokio::spawn(self.clone().attend(entry, outputs, gone));
        Ok(pid)
    }

    /// The task of one process. Holds the entry only while the child runs, which the table does too.
    async fn attend(self, entry: Arc<Entry>, outputs: Option<Outputs>, gone: tokio::sync::oneshot::Receiver<()>) {
        let Some(mut outputs) = outputs else {
            entry.child.wait().await;
            return self.enter_end(entry);
        };
        outputs.until_ended(&entry.child).await;
        self.enter_end(entry);
        outputs.rest(gone, &self.drains).await;
    }

    fn enter_end(&self, entry: Arc<Entry>) {
        if let Some(exit) = entry.child.exit() {
            entry.end_rest(exit);
        }
        let mut table = lock(&self.table);
        table.running.retain(|running| !Arc::ptr_eq(running, &entry));
        table.ended.push_back((Instant::now(), entry));
        table.forget();
        drop(table);
        self.ended.notify_waiters();
    }

    /// Those that run, in the order of their starts.
    #[must_use]
    pub fn list(&self) -> Vec<Process> {
        let table = lock(&self.table);
        table.running.iter().map(|entry| entry.shown()).filter(|process| process.exit.is_none()).collect()
    }

    /// The process with that id: one that runs, or one that has ended and is still kept.
    #[must_use]
    pub fn find(&self, pid: u32) -> Option<Process> {
        Some(self.entry(pid)?.shown())
    }

    fn entry(&self, pid: u32) -> Option<Arc<Entry>> {
        let mut table = lock(&self.table);
        table.forget();
        let ended = table.ended.iter().rev().map(|(_, entry)| entry);
        table.running.iter().chain(ended).find(|entry| entry.child.pid() == pid).cloned()
    }

    /// Sends a signal (`contract: process §6`): SIGKILL to the whole tree, the others to the process's group. SIGINT and
    /// SIGTERM leave what remains of the tree 1 s once the process has ended because of them.
    ///
    /// # Errors
    /// See [`SignalFailure`].
    pub async fn signal(&self, pid: u32, signal: Signal) -> Result<(), SignalFailure> {
        self.entry(pid).ok_or(SignalFailure::Missing)?.signal(signal).await
    }

    /// Writes to a process's input, then closes it if asked. Waits for the writes before it, and for the process to
    /// read; not for ever ([`super::super::Settings::stdin_patience`]). Number of bytes written.
    ///
    /// # Errors
    /// See [`WriteFailure`].
    pub async fn write(&self, pid: u32, data: &[u8], close: bool) -> Result<u64, WriteFailure> {
        let entry = self.entry(pid).ok_or(WriteFailure::Missing)?;
        let input = entry.input.as_ref().ok_or(WriteFailure::Closed)?;
        input.write(&entry.child, data, close, self.patience).await
    }

    /// What a process has written, from event `since` on. Where there is nothing yet, waits up to `wait` while more may
    /// come (`contract: process §8`). `None` if there is no such process, or what it writes is not kept.
    pub async fn output(&self, pid: u32, since: u64, wait: Duration) -> Option<Page> {
        let entry = self.entry(pid)?;
        let log = entry.log.as_ref()?;
        log.wait(since, wait).await;
        // Looked at before the events: whoever is told of the end has all that was written before.
        let exit = entry.child.exit();
        if exit.is_some() {
            log.settled().await;
        }
        let (events, next, dropped) = log.since(since);
        Some(Page { events, next, exit, dropped })
    }
}

impl Table {
    /// Drops what has been kept for long enough.
    fn forget(&mut self) {
        while self.ended.len() > KEPT || self.ended.front().is_some_and(|(at, _)| at.elapsed() > KEPT_FOR) {
            self.ended.pop_front();
        }
    }
}
