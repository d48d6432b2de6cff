//! Binding a listening socket.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};

use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};

/// Connections that the kernel completes and keeps until they are accepted.
const BACKLOG: u32 = 4096;

/// Why no listening socket could be had (contract: cli, serve: exit 1 and this text).
#[derive(Debug, Error)]
pub enum BindError {
    /// Another socket listens there.
    #[error("port {0} is in use")]
    PortInUse(u16),
    /// The user may not bind the port.
    #[error("no permission to listen on port {0}")]
    Denied(u16),
    /// The host name has no address.
    #[error("host {host:?} is unknown")]
    UnknownHost {
        /// As given.
        host: String,
        /// The resolver's error.
        #[source]
        source: Option<io::Error>,
    },
    /// The address is not one of this machine's.
    #[error("{0} is not an address of this machine")]
    NotLocal(IpAddr),
    /// Anything else.
    #[error("cannot listen on {address}: {source}")]
    Other {
        /// What was tried.
        address: SocketAddr,
        /// The system's error.
        #[source]
        source: io::Error,
    },
}

/// A listening socket. Closed when dropped.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Listens on `host`: an address (IPv6 with or without brackets), `0.0.0.0`, `::` (both families), or a name, of
    /// which the first address is taken, IPv4 before IPv6. Port 0 takes a free one.
    ///
    /// Looks names up in the calling thread: meant for the start of the program. Must be called inside of a tokio
    /// runtime.
    ///
    /// # Errors
    /// [`BindError`], one line for the operator.
    pub fn bind(host: &str, port: u16) -> Result<Self, BindError> {
        let address = resolve(host, port)?;
        let socket = listen(address).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => BindError::PortInUse(port),
            io::ErrorKind::PermissionDenied => BindError::Denied(port),
            io::ErrorKind::AddrNotAvailable => BindError::NotLocal(address.ip()),
            _ => BindError::Other { address, source },
        })?;
        let address = socket.local_addr().map_err(|source| BindError::Other { address, source })?;
        Ok(Self { socket, address })
    }

    /// Where it listens, with the port that was really taken.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn socket(&self) -> &TcpListener {
        &self.socket
    }
}

fn resolve(host: &str, port: u16) -> Result<SocketAddr, BindError> {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    let unknown = |source| BindError::UnknownHost { host: host.to_owned(), source };
    if bare.is_empty() {
        return Err(unknown(None));
    }
    let addresses = (bare, port).to_socket_addrs().map_err(|error| unknown(Some(error)))?;
    addresses.min_by_key(|address| !address.is_ipv4()).ok_or_else(|| unknown(None))
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Old connections in TIME_WAIT don't block a restart; a live listener still does.
    socket.set_reuseaddr(true)?;
    if address.ip().is_unspecified() && address.is_ipv6() {
        rustix::net::sockopt::set_ipv6_v6only(&socket, false)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(test)]
mod tests;
