//! One process of the table.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use rustix::io::Errno;
use rustix::process::Signal;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::input::Input;
use super::log::Log;
use super::{Process, SignalFailure};
use crate::process::child::Child;
use crate::process::exit::Exit;
use crate::process::output::{Drains, Tap};
use crate::process::run::{KILLED, PIPES};
use crate::process::stream::OutputStream;

/// Bytes of one read (`contract: process §8`).
const READ: usize = 4096;

/// Within this time of a signal that asks for it, an end is because of the signal.
const BECAUSE: std::time::Duration = std::time::Duration::from_secs(5);

/// One process. Goes with the last of: the table's reference, whoever waits for it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) label: Arc<str>,
    pub(super) started_at: SystemTime,
    pub(super) child: Child,
    pub(super) log: Option<Arc<Log>>,
    pub(super) input: Option<Input>,
    /// The last signal that asked it to end, and when.
    asked: Mutex<Option<(Signal, Instant)>>,
    /// Dropped with the entry: then nobody reads the log any more.
    _kept: oneshot::Sender<()>,
}

impl Entry {
    pub(super) fn new(
        label: String,
        child: Child,
        log: Option<Arc<Log>>,
        input: Option<Input>,
    ) -> (Self, oneshot::Receiver<()>) {
        let (kept, gone) = oneshot::channel();
        let entry = Self {
            label: label.into(),
            started_at: SystemTime::now(),
            child,
            log,
            input,
            asked: Mutex::new(None),
            _kept: kept,
        };
        (entry, gone)
    }

    pub(super) fn shown(&self) -> Process {
        Process {
            pid: self.child.pid(),
            label: Arc::clone(&self.label),
            started_at: self.started_at,
            exit: self.child.exit(),
            is_captured: self.log.is_some(),
            has_stdin: self.input.as_ref().is_some_and(Input::is_open),
        }
    }

    /// Sends a signal as the contract has it (`contract: process §6`).
    pub(super) async fn signal(&self, signal: Signal) -> Result<(), SignalFailure> {
        if self.child.exit().is_some() {
            return Err(SignalFailure::Missing);
        }
        let to_group = |signal| match self.child.signal_group(signal) {
            Ok(()) => Ok(()),
            Err(cause) => match Errno::from_io_error(&cause) {
                Some(Errno::SRCH) | None => Err(SignalFailure::Missing),
                Some(errno) => Err(errno.into()),
            },
        };
        match signal {
            Signal::KILL => {
                // What can't be killed by then does not keep the answer.
                let _ = timeout(KILLED, self.child.killed()).await;
                Ok(())
            }
            Signal::TSTP => {
                to_group(Signal::TSTP)?;
                // In a session without a terminal the kernel does not let SIGTSTP stop anybody (POSIX, orphaned groups).
                to_group(Signal::STOP)
            }
            Signal::INT | Signal::TERM => {
                *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some((signal, Instant::now()));
                to_group(signal)
            }
            other => to_group(other),
        }
    }

    /// Whether it was asked to end a while ago at most.
    pub(super) fn is_asked_to_end(&self) -> bool {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|(_, at)| at.elapsed() < BECAUSE)
    }

    /// Whether it ended because it was asked to.
    fn was_asked(&self, exit: Exit) -> bool {
        let asked = *self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.is_some_and(|(signal, at)| {
            [-signal.as_raw(), 128 + signal.as_raw()].contains(&exit.code()) || at.elapsed() < BECAUSE
        })
    }

    /// What is left of a tree whose leader was asked to end, and has, gets its grace and no more.
    pub(super) fn end_rest(&self, exit: Exit) {
        if self.was_asked(exit) {
            self.child.end_rest();
        }
    }
}

/// The outputs of a process and where they go.
pub(super) struct Outputs {
    pub(super) log: Arc<Log>,
    pub(super) stdout: Tap,
    pub(super) stderr: Tap,
}

impl Outputs {
    pub(super) fn new(log: Arc<Log>, stdout: Option<Receiver>, stderr: Option<Receiver>) -> Self {
        Self { log, stdout: Tap::new(stdout), stderr: Tap::new(stderr) }
    }

    /// Reads until the child has ended. Everything that it wrote is in the log or in the pipes then.
    pub(super) async fn until_ended(&mut self, child: &Child) {
        let mut ended = pin!(child.wait());
        loop {
            tokio::select! {
                biased;
                _ = &mut ended => return,
                () = self.stdout.ready() => self.take(OutputStream::Stdout),
                () = self.stderr.ready() => self.take(OutputStream::Stderr),
            }
        }
    }

    /// The child has ended: reads the rest, until the pipes end or nobody wants it any more.
    pub(super) async fn rest(mut self, gone: oneshot::Receiver<()>, drains: &Drains) {
        self.stdout.child_ended();
        self.stderr.child_ended();
        let (mut over, mut gone) = (pin!(sleep(PIPES)), pin!(gone));
        let mut waits = true;
        while !(self.stdout.is_closed() && self.stderr.is_closed()) {
            if !self.stdout.is_due() && !self.stderr.is_due() {
                self.log.settle();
            }
            tokio::select! {
                () = self.stdout.ready() => self.take(OutputStream::Stdout),
                () = self.stderr.ready() => self.take(OutputStream::Stderr),
                () = &mut over, if waits => {
                    waits = false;
                    self.log.end();
                }
                // Never sent: it resolves when the other end is dropped.
                _ = &mut gone => break,
            }
        }
        let Self { log, mut stdout, mut stderr } = self;
        drains.take(stdout.leave(|text| log.push(OutputStream::Stdout, text)));
        drains.take(stderr.leave(|text| log.push(OutputStream::Stderr, text)));
        log.close();
    }

    fn take(&mut self, stream: OutputStream) {
        let Self { log, stdout, stderr } = self;
        let tap = if stream == OutputStream::Stdout { stdout } else { stderr };
        // One read is one event, whatever pieces its text comes in.
        let mut text = String::new();
        tap.take_once(READ, |piece| text.push_str(piece));
        log.push(stream, &text);
    }
}
