//! Pipes that a descendant still holds after the answer was given (`contract: process`, Life of a child).
//!
//! They are read and thrown away, so that nobody is stopped by SIGPIPE. Each is a task of its own that ends with the
//! pipe, or with the supervisor. There is a bound; beyond it pipes are closed, and their writers see it.

use std::sync::Arc;

use tokio::net::unix::pipe::Receiver;
use tokio::sync::{Semaphore, watch};

use super::tap::Tap;

/// Pipes at once.
const MOST: usize = 512;

/// Reads what nobody wants.
#[derive(Debug)]
pub(crate) struct Drains {
    room: Arc<Semaphore>,
    end: watch::Sender<bool>,
}

impl Drains {
    pub(crate) fn new() -> Self {
        Self { room: Arc::new(Semaphore::new(MOST)), end: watch::channel(false).0 }
    }

    /// Reads the pipe to its end.
    pub(crate) fn take(&self, pipe: Option<Receiver>) {
        let Some(pipe) = pipe else { return };
        let Ok(place) = Arc::clone(&self.room).try_acquire_owned() else {
            tracing::debug!("too many pipes are held by what commands have left behind; one is closed");
            return;
        };
        let mut end = self.end.subscribe();
        tokio::spawn(async move {
            let mut tap = Tap::new(Some(pipe));
            while !tap.is_closed() {
                tokio::select! {
                    // An error means that the supervisor is gone, which is the end too.
                    _ = end.wait_for(|end| *end) => break,
                    () = tap.ready() => tap.take(|_| {}),
                }
            }
            drop(place);
        });
    }

    /// Closes them all.
    pub(crate) fn end(&self) {
        self.end.send_replace(true);
    }
}
