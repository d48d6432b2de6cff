//! The other end of a connection, as a request sees it.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::signals::Signals;

/// In the extensions of every request. Cheap to clone, and keeps nothing open.
#[derive(Clone)]
pub struct Peer {
    address: SocketAddr,
    signals: Arc<Signals>,
}

impl Peer {
    pub(crate) fn new(address: SocketAddr, signals: Arc<Signals>) -> Self {
        Self { address, signals }
    }

    /// Where the connection comes from.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether [`Peer::left`] would return at once.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.signals.has_left()
    }

    /// Returns when the peer has closed its sending side, or the connection is over.
    ///
    /// A peer may close its sending side and still wait for the answer; the two can't be told apart until something is
    /// written. So a stream that has nothing to say should write something harmless (a comment) now: if nobody is
    /// there, the connection ends and the answer's body is dropped. Cancel safe.
    pub async fn left(&self) {
        self.signals.left().await;
    }

    /// Returns when the server has been told to stop. What has no end of its own should end then: requests in flight are
    /// waited for, but not for long. Cancel safe.
    pub async fn stopping(&self) {
        self.signals.stopping().await;
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer").field("address", &self.address).field("has_left", &self.has_left()).finish()
    }
}
