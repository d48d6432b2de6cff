//! Events that an answer carries, one after the other, until their end or the client's.
//!
//! An [`EventStream`] owns whatever makes its events; the answer that carries it owns the stream. Nothing is made unless the
//! next event is asked for, so a client that reads slowly slows the producer and fills no memory; dropping the stream ends
//! the producer.

use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use futures_util::stream::BoxStream;

/// One event (contract: pipeline §8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// For clients that resume, where the endpoint's page has one.
    pub id: Option<String>,
    /// Which event it is, such as `change`.
    pub name: Cow<'static, str>,
    /// A JSON text.
    pub data: String,
}

impl Event {
    /// An event without an id.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>, data: String) -> Self {
        Self { id: None, name: name.into(), data }
    }
}

/// The producer of a stream broke down: the answer must not look as if it had come to its end.
#[derive(Debug, thiserror::Error)]
#[error("the stream broke off: {0}")]
pub struct BrokenOff(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Events on their way to a client.
pub struct EventStream(BoxStream<'static, Result<Event, BrokenOff>>);

impl EventStream {
    /// The events of `producer`. After a failure it is not polled again.
    #[must_use]
    pub fn new(producer: impl Stream<Item = Result<Event, BrokenOff>> + Send + 'static) -> Self {
        Self(Box::pin(producer))
    }
}

impl Stream for EventStream {
    type Item = Result<Event, BrokenOff>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EventStream").finish_non_exhaustive()
    }
}
