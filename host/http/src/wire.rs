//! The socket of one connection. Owned by the connection's task and by the I/O object that the HTTP library (or, after
//! a switch of protocol, whoever took over) reads and writes; nobody else holds it, so it closes when both are gone.

mod hyper_io;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustix::net::Shutdown;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::gate::{Gate, Waiting};
use crate::settings::Settings;
use crate::signals::Signals;

pub(crate) use hyper_io::WireIo;

/// See the module.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    pub(crate) signals: Arc<Signals>,
    traffic: Mutex<Traffic>,
    write_stall: Duration,
}

/// Both directions of a connection. Locked for moments inside of one poll only.
#[derive(Debug)]
pub(crate) struct Traffic {
    pub(crate) gate: Gate,
    /// Since when the peer has taken nothing although there is something to write.
    blocked_since: Option<Instant>,
    /// Something was written since the last head went to the library.
    pub(crate) answering: bool,
    /// The I/O object is gone.
    released: bool,
}

/// A deadline of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deadline {
    Waiting(Waiting),
    Writing,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, signals: Arc<Signals>, settings: &Settings) -> Arc<Self> {
        let traffic = Traffic { gate: Gate::new(*settings), blocked_since: None, answering: false, released: false };
        Arc::new(Self { stream, signals, traffic: Mutex::new(traffic), write_stall: settings.write_stall_timeout })
    }

    pub(crate) fn traffic(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads into the gate's inbox; `Ready` when something came, be it the end.
    fn poll_feed(&self, gate: &mut Gate, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let bytes = ready!(self.poll_read(gate, cx));
        gate.fed();
        if bytes? == 0 {
            gate.end();
            self.signals.leave();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_read(&self, gate: &mut Gate, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream.poll_read_ready(cx))?;
            // Only now: a connection that is merely open needs no buffer.
            let buffer = gate.inbox();
            let mut read = None;
            // A read that leaves room has emptied the socket. Reporting it as `WouldBlock` clears the readiness, which
            // saves the second read that would only find that out.
            let result = self.stream.try_io(Interest::READABLE, || {
                let bytes = self.stream.try_read_buf(buffer)?;
                read = Some(bytes);
                if bytes > 0 && buffer.len() < buffer.capacity() {
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                Ok(())
            });
            match (read, result) {
                (Some(bytes), _) => return Poll::Ready(Ok(bytes)),
                (None, Err(error)) if is_temporary(&error) => {}
                (None, Err(error)) => return Poll::Ready(Err(error)),
                (None, Ok(())) => return Poll::Ready(Ok(0)),
            }
        }
    }

    /// Reads ahead while the library isn't reading, to notice that the peer leaves. `Ready` only with an error.
    pub(crate) fn poll_watch(&self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let mut traffic = self.traffic();
        while traffic.gate.wants_watching() {
            match self.poll_feed(&mut traffic.gate, cx) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(error),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Pending
    }

    /// The nearest deadline of the connection.
    pub(crate) fn deadline(&self) -> Option<(Deadline, Instant)> {
        let traffic = self.traffic();
        let writing = traffic.blocked_since.map(|since| (Deadline::Writing, since + self.write_stall));
        let waiting = traffic.gate.deadline().map(|(what, at)| (Deadline::Waiting(what), at));
        match (writing, waiting) {
            (Some(writing), Some(waiting)) => Some(if writing.1 < waiting.1 { writing } else { waiting }),
            (one, other) => one.or(other),
        }
    }

    /// Resolves when the peer has reset the connection.
    pub(crate) async fn reset(self: Arc<Self>) {
        // Whatever goes wrong with the watch, the connection is of no use any more.
        let _ = self.stream.ready(Interest::ERROR).await;
    }

    /// Waits until the socket has been let go of by whoever took the connection over.
    pub(crate) fn poll_released(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.signals.task.register(cx.waker());
        if self.traffic().released { Poll::Ready(()) } else { Poll::Pending }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Ends the writing side: the peer sees the end of what was written.
    pub(crate) fn end_writing(&self) {
        // Fails only when there is no connection any more.
        let _ = rustix::net::shutdown(&self.stream, Shutdown::Write);
    }

    /// Takes the connection away from whoever holds it.
    pub(crate) fn cut(&self) {
        let _ = rustix::net::shutdown(&self.stream, Shutdown::Both);
    }

    /// Lets the close that follows be a reset, so that nothing that was written is taken for complete.
    pub(crate) fn reset_on_close(&self) {
        let _ = self.stream.set_zero_linger();
    }
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
