//! The body of a request, and what becomes of the part that nobody read.

mod leftover;
mod paced;

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use thiserror::Error;

use crate::signals::Signals;

pub(crate) use leftover::Leftover;
pub(crate) use paced::Paced;

/// Most bytes of an unread body that are read to keep its connection (contract: pipeline §2).
const DISCARD_LIMIT: u64 = 1024 * 1024;

/// Why a request body ended before its declared end.
#[derive(Debug, Error)]
pub enum BodyError {
    /// No byte came for [`Settings::body_idle_timeout`](crate::Settings::body_idle_timeout). The peer is still there
    /// and should be answered 408 (contract: pipeline §2).
    #[error("the request body stopped coming")]
    Idle,
    /// The peer ended its side before the declared length was reached (contract: pipeline §5).
    #[error("the request body is shorter than declared")]
    Incomplete,
    /// The connection broke, or the body's encoding did.
    #[error("the request body could not be read")]
    Broken(#[source] hyper::Error),
}

impl BodyError {
    fn new(error: hyper::Error) -> Self {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
        while let Some(inner) = cause {
            match inner.downcast_ref::<io::Error>().map(io::Error::kind) {
                Some(io::ErrorKind::TimedOut) => return Self::Idle,
                Some(io::ErrorKind::UnexpectedEof) => return Self::Incomplete,
                _ => cause = inner.source(),
            }
        }
        Self::Broken(error)
    }
}

/// Body of a request. Read it to its end or drop it: what is left of a dropped body is read and thrown away while the
/// answer is being written, if it is small (1 MiB) and comes soon; else the answer says `Connection: close`, and what
/// the peer still writes is swallowed after it (contract: pipeline §2).
///
/// A peer that waits for `100 Continue` gets it with the first poll, and never if there is none (contract: pipeline §2).
pub struct RequestBody {
    /// Taken by `drop` only.
    incoming: Option<Incoming>,
    signals: Arc<Signals>,
    awaits_continue: bool,
}

impl RequestBody {
    pub(crate) fn new(incoming: Incoming, awaits_continue: bool, signals: Arc<Signals>) -> Self {
        Self { incoming: Some(incoming), signals, awaits_continue }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        self.awaits_continue = false;
        let Some(incoming) = &mut self.incoming else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(incoming).poll_frame(cx));
        if let Some(Err(_)) = &frame {
            self.signals.set_last(true);
        }
        Poll::Ready(frame.map(|frame| frame.map_err(BodyError::new)))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let Some(incoming) = self.incoming.take().filter(|incoming| !incoming.is_end_stream()) else { return };
        let rest = incoming.size_hint().exact();
        if !self.awaits_continue && !self.signals.is_last() && rest.is_some_and(|rest| rest <= DISCARD_LIMIT) {
            self.signals.leave_over(incoming);
        } else {
            self.signals.set_last(true);
        }
    }
}

impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestBody").field("rest", &self.size_hint()).finish_non_exhaustive()
    }
}
