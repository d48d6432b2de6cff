//! What goes to the peer.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use tokio::io::{AsyncWrite, AsyncWriteExt, WriteHalf};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::pace::Pace;
use super::{Closed, Conversation, Line, Outgoing, Settings};
use crate::close::Close;
use crate::frame::{Kind, put};

/// Room of the buffer that is kept from one message to the next.
const KEPT: usize = 128 * 1024;

/// The writing half of a socket, with what is still to be written.
pub(super) struct Outbound<S> {
    writer: WriteHalf<S>,
    buffer: Vec<u8>,
    written: usize,
    pace: Pace,
    settings: Settings,
}

impl<S: AsyncWrite + Send> Outbound<S> {
    pub(super) fn new(writer: WriteHalf<S>, settings: &Settings) -> Self {
        let pace = Pace::new(settings.patience, settings.least);
        Self { writer, buffer: Vec::new(), written: 0, pace, settings: *settings }
    }

    /// Sends what there is until the connection is to be closed.
    pub(super) async fn run(&mut self, conversation: &impl Conversation, line: &Line) -> Closed {
        let mut next_ping = Instant::now() + self.settings.ping_every;
        loop {
            if let Some(payload) = line.take_owed() {
                self.queue(Kind::Pong, &payload);
            }
            let now = Instant::now();
            if now >= next_ping {
                next_ping = now + self.settings.ping_every;
                if let Some(payload) = line.ping(now) {
                    self.queue(Kind::Ping, &payload);
                }
            }
            if let Err(closed) = self.write().await {
                return closed;
            }
            let mut next = pin!(conversation.next());
            let outgoing = match poll_fn(|cx| Poll::Ready(next.as_mut().poll(cx))).await {
                Poll::Ready(outgoing) => outgoing,
                Poll::Pending => {
                    self.pace.caught_up();
                    tokio::select! {
                        outgoing = next => outgoing,
                        () = line.owed() => continue,
                        () = sleep_until(next_ping) => continue,
                    }
                }
            };
            match outgoing {
                Outgoing::Text(text) => self.queue(Kind::Text, text.as_bytes()),
                Outgoing::Close(close) => return Closed::ByUs(close),
            }
        }
    }

    /// The last frame.
    pub(super) fn queue_close(&mut self, close: Option<&Close>) {
        self.queue(Kind::Close, &close.map(Close::payload).unwrap_or_default());
    }

    fn queue(&mut self, kind: Kind, payload: &[u8]) {
        put(kind, payload, &mut self.buffer);
    }

    /// Writes what is queued, at the pace that is asked of the peer.
    async fn write(&mut self) -> Result<(), Closed> {
        while self.written < self.buffer.len() {
            let deadline = self.pace.deadline(Instant::now());
            match timeout_at(deadline, self.write_some()).await {
                Ok(Some(bytes)) => self.pace.took(bytes, Instant::now()),
                Ok(None) => return Err(Closed::Lost),
                Err(_) => return Err(Closed::ByUs(Close::too_slow())),
            }
        }
        self.buffer.clear();
        self.buffer.shrink_to(KEPT);
        self.written = 0;
        self.writer.flush().await.map_err(|_| Closed::Lost)
    }

    /// Writes what is queued, as long as it takes, and ends the connection's writing side.
    pub(super) async fn finish(&mut self) {
        while self.written < self.buffer.len() && self.write_some().await.is_some() {}
        // Whoever is gone needs no end.
        let _ = self.writer.flush().await;
    }

    pub(super) async fn shut_down(&mut self) {
        let _ = self.writer.shutdown().await;
    }

    /// How many bytes went out; none if the connection is broken. Cancel safe.
    async fn write_some(&mut self) -> Option<usize> {
        let rest = self.buffer.get(self.written..).unwrap_or_default();
        let bytes = self.writer.write(rest).await.ok().filter(|bytes| *bytes > 0)?;
        self.written += bytes;
        Some(bytes)
    }
}
