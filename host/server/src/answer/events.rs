//! The body of a streamed answer: events as they come (contract: pipeline §8).
//!
//! An [`Events`] owns the stream and, like every body, the permit and the audit record. All go at the stream's end, when
//! the client is gone, or when the server stops: the stream is then broken off, so that nobody takes it for ended.

use std::fmt::Write;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use abxd_http::Peer;
use abxd_plugins::{BrokenOff, Event, EventStream};
use bytes::Bytes;
use futures_util::Stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::{Body, Frame};
use tokio::time::{Instant, Sleep, sleep};

use crate::audit::Record;
use crate::pipeline::Permit;

/// Longest silence on a stream: then a comment says that it is alive.
const SILENCE: Duration = Duration::from_secs(15);

/// Bytes that are collected at most, where events come faster than they are written.
const BATCH: usize = 16 << 10;

/// A line that clients skip.
const COMMENT: &[u8] = b":\n\n";

/// What tells clients and the proxies before them not to hold events back.
pub(super) fn headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    headers
}

/// Events that are being written.
pub(super) struct Events {
    lines: Lines,
    permit: Option<Permit>,
    _record: Record,
}

impl Events {
    pub(super) fn new(stream: EventStream, peer: Option<Peer>, permit: Permit, record: Record) -> Self {
        let mut lines = Lines::new(stream, SILENCE);
        if let Some(peer) = peer {
            let same = peer.clone();
            lines.left = Some(Box::pin(async move { same.left().await }));
            lines.stopping = Some(Box::pin(async move { peer.stopping().await }));
        }
        Self { lines, permit: Some(permit), _record: record }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let polled = ready!(self.lines.poll_next(context));
        if polled.is_none() {
            self.permit = None;
        }
        Poll::Ready(polled.map(|lines| lines.map(Frame::data)))
    }
}

/// Resolves when something has happened.
type Sign = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The server stops, and with it every stream.
#[derive(Debug, thiserror::Error)]
#[error("the server stops")]
struct Stopping;

/// A stream as the bytes that are written of it.
struct Lines {
    /// `None` at its end, so that the producer ends before the last bytes are written.
    stream: Option<EventStream>,
    /// Why it ended too early. Told when what came before has been written.
    broken: Option<BrokenOff>,
    /// The client has closed its side. It may still read: a comment finds out.
    left: Option<Sign>,
    stopping: Option<Sign>,
    longest_silence: Duration,
    silence: Pin<Box<Sleep>>,
}

impl Lines {
    fn new(stream: EventStream, longest_silence: Duration) -> Self {
        let silence = Box::pin(sleep(longest_silence));
        Self { stream: Some(stream), broken: None, left: None, stopping: None, longest_silence, silence }
    }

    /// Everything that is there to be written, at most about [`BATCH`] bytes; a comment where nothing has been for long.
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if self.stopping.as_mut().is_some_and(|stopping| stopping.as_mut().poll(context).is_ready()) {
            self.stopping = None;
            if self.stream.take().is_some() {
                self.broken = Some(BrokenOff(Box::new(Stopping)));
            }
        }
        let mut lines = String::new();
        while let Some(stream) = &mut self.stream
            && lines.len() < BATCH
        {
            match Pin::new(stream).poll_next(context) {
                Poll::Ready(Some(Ok(event))) => push(&event, &mut lines),
                Poll::Ready(Some(Err(cause))) => {
                    self.broken = Some(cause);
                    self.stream = None;
                }
                Poll::Ready(None) => self.stream = None,
                Poll::Pending => break,
            }
        }
        if !lines.is_empty() {
            return self.written(lines.into());
        }
        if let Some(cause) = self.broken.take() {
            return Poll::Ready(Some(Err(io::Error::other(cause))));
        }
        if self.stream.is_none() {
            return Poll::Ready(None);
        }
        if self.left.as_mut().is_some_and(|left| left.as_mut().poll(context).is_ready()) {
            self.left = None;
            return self.written(Bytes::from_static(COMMENT));
        }
        ready!(self.silence.as_mut().poll(context));
        self.written(Bytes::from_static(COMMENT))
    }

    fn written(&mut self, bytes: Bytes) -> Poll<Option<io::Result<Bytes>>> {
        self.silence.as_mut().reset(Instant::now() + self.longest_silence);
        Poll::Ready(Some(Ok(bytes)))
    }
}

/// One event on the wire. What is one line stays one: a line break would end the field.
fn push(event: &Event, lines: &mut String) {
    let line = |field: &str| field.replace(['\n', '\r'], " ");
    // Writing to a String can't fail.
    if let Some(id) = &event.id {
        let _ = writeln!(lines, "id: {}", line(id));
    }
    let _ = writeln!(lines, "event: {}", line(&event.name));
    for part in event.data.split(['\n', '\r']) {
        let _ = writeln!(lines, "data: {part}");
    }
    lines.push('\n');
}

#[cfg(test)]
mod tests;
