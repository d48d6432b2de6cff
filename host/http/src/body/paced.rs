//! The body of an answer, held back while its client does not keep up.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Buf;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::signals::Signals;

pin_project! {
    /// Gives nothing more while much of what was given still waits for room in the socket. The HTTP library would go on
    /// until its buffer is full, and that buffer has to be large enough for a request head: a client that takes nothing
    /// would cost all of it.
    #[derive(Debug)]
    pub(crate) struct Paced<B> {
        #[pin]
        body: B,
        signals: Arc<Signals>,
    }
}

impl<B> Paced<B> {
    pub(crate) fn new(body: B, signals: Arc<Signals>) -> Self {
        Self { body, signals }
    }
}

impl<B: Body> Body for Paced<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let this = self.project();
        if !this.signals.keeps_up() {
            // The connection's task is the only one that polls, and it is woken when there is room.
            return Poll::Pending;
        }
        let polled = this.body.poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            this.signals.taken(frame.data_ref().map_or(0, Buf::remaining));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
