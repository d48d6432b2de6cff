//! How names are looked up and addresses connected to.
//!
//! A server takes [`Network::system`]. Tests bring their own, as loopback is out of bounds for every rule: names of theirs
//! stand for public addresses, and dialling one leads to a listener of theirs. Nothing but code can choose, so no
//! configuration, request or page can.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use abxd_guards::url::{Resolver, SystemResolver};
use tokio::net::TcpStream;

/// A connection that is being made.
pub type Dialling = Pin<Box<dyn Future<Output = io::Result<TcpStream>> + Send>>;

/// Connects to addresses that have been judged.
pub trait Dial: Send + Sync {
    /// Connects to `address`. Whoever calls bounds the wait.
    fn dial(&self, address: SocketAddr) -> Dialling;
}

/// The system's own way.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDial;

impl Dial for SystemDial {
    fn dial(&self, address: SocketAddr) -> Dialling {
        Box::pin(TcpStream::connect(address))
    }
}

/// The two together.
#[derive(Clone)]
pub struct Network {
    /// Looks names up.
    pub resolver: Arc<dyn Resolver>,
    /// Connects.
    pub dial: Arc<dyn Dial>,
}

impl Network {
    /// The machine's.
    #[must_use]
    pub fn system() -> Self {
        Self { resolver: Arc::new(SystemResolver), dial: Arc::new(SystemDial) }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Network").finish_non_exhaustive()
    }
}
