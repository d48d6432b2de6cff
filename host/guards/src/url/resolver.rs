//! Looking names up.

use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};

/// Finds the addresses of a name.
pub trait Resolver: Send + Sync {
    /// All addresses that `name` (ASCII, as it stands in a URL after IDNA) has now. May block.
    ///
    /// # Errors
    /// Any failure, "no such name" included. The guard lets the name pass then: it can't be connected to either.
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver. Blocks as long as that is configured to.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok((name, 0).to_socket_addrs()?.map(|found| found.ip()).collect())
    }
}
