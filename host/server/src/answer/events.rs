//! The body of a streamed answer: events as they come (contract: pipeline §8).
//!
//! An [`Events`] owns the stream and, like every body, the permit and the audit record. All go at the stream's end, or
//! when the client is gone.

use std::fmt::Write;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use abxd_http::Peer;
use abxd_plugins::{Event, EventStream};
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
    stream: EventStream,
    silence: Pin<Box<Sleep>>,
    /// Resolves when the client has closed its side. It may still read: a comment finds out.
    left: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    permit: Option<Permit>,
    _record: Record,
}

impl Events {
    pub(super) fn new(stream: EventStream, peer: Option<Peer>, permit: Permit, record: Record) -> Self {
        let left = peer.map(|peer| -> Pin<Box<dyn Future<Output = ()> + Send>> {
            Box::pin(async move {
                peer.left().await;
            })
        });
        Self { stream, silence: Box::pin(sleep(SILENCE)), left, permit: Some(permit), _record: record }
    }

    fn write(&mut self, bytes: Bytes) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.silence.as_mut().reset(Instant::now() + SILENCE);
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match Pin::new(&mut self.stream).poll_next(context) {
            Poll::Ready(Some(Ok(event))) => return self.write(text(&event).into()),
            Poll::Ready(Some(Err(cause))) => return Poll::Ready(Some(Err(io::Error::other(cause)))),
            Poll::Ready(None) => {
                self.permit = None;
                return Poll::Ready(None);
            }
            Poll::Pending => {}
        }
        if self.left.as_mut().is_some_and(|left| left.as_mut().poll(context).is_ready()) {
            self.left = None;
            return self.write(Bytes::from_static(COMMENT));
        }
        match self.silence.as_mut().poll(context) {
            Poll::Ready(()) => self.write(Bytes::from_static(COMMENT)),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// One event on the wire. What is one line stays one: a line break would end the field.
fn text(event: &Event) -> String {
    let mut text = String::with_capacity(event.data.len() + 64);
    let line = |field: &str| field.replace(['\n', '\r'], " ");
    // Writing to a String can't fail.
    if let Some(id) = &event.id {
        let _ = writeln!(text, "id: {}", line(id));
    }
    let _ = writeln!(text, "event: {}", line(&event.name));
    for part in event.data.split(['\n', '\r']) {
        let _ = writeln!(text, "data: {part}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use abxd_plugins::Event;

    use super::text;

    #[test]
    fn an_event_is_its_lines_and_an_empty_one() {
        let event = Event::new("change", r#"{"a":1}"#.to_owned());
        assert_eq!(text(&event), "event: change\ndata: {\"a\":1}\n\n");
        let event = Event { id: Some("7".to_owned()), ..event };
        assert_eq!(text(&event), "id: 7\nevent: change\ndata: {\"a\":1}\n\n");
    }

    #[test]
    fn a_line_break_adds_no_field() {
        let event =
            Event { id: Some("7\nx: y".to_owned()), name: "a\revent: b".into(), data: "1\n\nevent: c".to_owned() };
        assert_eq!(text(&event), "id: 7 x: y\nevent: a event: b\ndata: 1\ndata: \ndata: event: c\n\n");
    }
}
