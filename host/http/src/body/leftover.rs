//! The rest of a request body that nobody wants, owned by the connection's task.

use std::pin::Pin;
use std::task::Context;

use http_body::Body;
use hyper::body::Incoming;
use tokio::time::Instant;

/// Reads and throws away. Ends with the body, with its deadline (its owner drops it), or with the connection.
#[derive(Debug)]
pub(crate) struct Leftover {
    body: Incoming,
    deadline: Instant,
}

impl Leftover {
    pub(crate) fn new(body: Incoming, deadline: Instant) -> Self {
        Self { body, deadline }
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Takes what has come; true at the end.
    pub(crate) fn poll_end(&mut self, cx: &mut Context<'_>) -> bool {
        loop {
            match Pin::new(&mut self.body).poll_frame(cx) {
                std::task::Poll::Ready(Some(Ok(_))) => {}
                std::task::Poll::Ready(Some(Err(_)) | None) => return true,
                std::task::Poll::Pending => return false,
            }
        }
    }
}
