//! The way out: a proxy inside the host, through which the browser sends everything (D61).
//!
//! It serves the browser that was started with it and nobody else: each start has a secret of its own, and only requests
//! that the browser held back for the guard (`Fetch`) are ever given it. So what the browser does on its own account, and
//! whoever else finds the port, is turned away before a name is looked up.
//!
//! Owns the listening socket and one task for each connection. All of them end with the [`Proxy`].

mod credentials;
mod exchange;
mod head;
mod serve;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub(crate) use credentials::Credentials;
use serve::Server;

use crate::network::Dial;
use crate::sentry::Sentry;

/// An address that the proxy answers itself, with nothing. A new context asks for it once and has the secret from then on:
/// for a WebSocket, which the browser does not hold back, it could not ask.
pub(crate) const WARM_UP: &str = "http://abxd.invalid/";

/// A proxy that runs.
#[derive(Debug)]
pub(crate) struct Proxy {
    address: SocketAddr,
    credentials: Arc<Credentials>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Listens on a free port of loopback.
    ///
    /// # Errors
    /// No port, or no random bytes.
    pub(crate) async fn start(sentry: Arc<Sentry>, dial: Arc<dyn Dial>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let credentials = Arc::new(Credentials::random()?);
        let server = Server { sentry, dial, credentials: credentials.clone() };
        let accepting = tokio::spawn(Arc::new(server).accept(listener));
        Ok(Self { address, credentials, accepting })
    }

    /// Where it listens.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it wants to be shown.
    pub(crate) const fn credentials(&self) -> &Arc<Credentials> {
        &self.credentials
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

#[cfg(test)]
mod tests;
