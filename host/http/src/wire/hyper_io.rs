//! The connection as the HTTP library sees it.

use std::io;
use std::io::IoSlice;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::time::Instant;

use super::{Wire, is_temporary};
use crate::gate::Supply;

/// Reads through the gate, writes to the socket. Dropping it tells the connection's task.
#[derive(Debug)]
pub(crate) struct WireIo(Arc<Wire>);

impl WireIo {
    pub(crate) fn new(wire: Arc<Wire>) -> Self {
        Self(wire)
    }

    fn poll_send(&self, cx: &mut Context<'_>, mut send: impl FnMut() -> io::Result<usize>) -> Poll<io::Result<usize>> {
        loop {
            match send() {
                Ok(bytes) => {
                    let mut traffic = self.0.traffic();
                    traffic.blocked_since = None;
                    traffic.answering = true;
                    drop(traffic);
                    self.0.signals.sent(bytes);
                    return Poll::Ready(Ok(bytes));
                }
                Err(error) if !is_temporary(&error) => return Poll::Ready(Err(error)),
                Err(_) => {}
            }
            match self.0.stream.poll_write_ready(cx) {
                Poll::Ready(result) => result?,
                Poll::Pending => {
                    self.0.traffic().blocked_since.get_or_insert_with(Instant::now);
                    return Poll::Pending;
                }
            }
        }
    }
}

impl Read for WireIo {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, mut buffer: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        let wire = &self.0;
        let mut traffic = wire.traffic();
        if wire.signals.has_switched() {
            traffic.gate.open();
        }
        loop {
            match traffic.gate.supply() {
                Supply::Bytes(bytes) => {
                    let bytes = bytes.min(buffer.remaining());
                    traffic.answering = false;
                    traffic.gate.hand_over(bytes, |bytes| buffer.put_slice(bytes));
                    wire.signals.set_lull(None);
                    return Poll::Ready(Ok(()));
                }
                Supply::End => return Poll::Ready(Ok(())),
                Supply::BodyTimedOut => return Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                Supply::More => {}
            }
            if wire.poll_feed(&mut traffic.gate, cx)?.is_pending() {
                traffic.gate.starve();
                wire.signals.set_lull(traffic.gate.lull());
                return Poll::Pending;
            }
        }
    }
}

impl Write for WireIo {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_send(cx, || self.0.stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_send(cx, || self.0.stream.try_write_vectored(parts))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A verdict is an answer that the connection's task has yet to write.
        if self.0.traffic().gate.verdict().is_none() {
            self.0.end_writing();
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for WireIo {
    fn drop(&mut self) {
        self.0.traffic().released = true;
        self.0.signals.task.wake();
    }
}
