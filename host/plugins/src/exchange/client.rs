//! The client that a call is made for, as far as its imports may know of it.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;

/// Tells when the client has left. Cheap to clone, and keeps nothing of the connection open.
#[derive(Clone)]
pub struct Client(Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>);

impl Client {
    /// A client whose leaving the futures of `left` wait for: the end of what it sends, or of its connection. Any number
    /// of them may wait at once.
    pub fn new(left: impl Fn() -> BoxFuture<'static, ()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(left))
    }

    /// One that never leaves.
    #[must_use]
    pub fn that_stays() -> Self {
        Self::new(|| Box::pin(std::future::pending()))
    }

    /// Waits until the client has left.
    #[must_use]
    pub fn left(&self) -> BoxFuture<'static, ()> {
        (self.0)()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").finish_non_exhaustive()
    }
}
