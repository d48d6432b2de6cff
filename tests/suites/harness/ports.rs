//! Ports for servers.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ports that the kernel gives to outgoing connections, so that none of those takes one first.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// A port that nothing listens on, and that no other test of this run is given.
pub(crate) fn free_port() -> u16 {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    // Runs side by side begin at different places.
    let begin = (std::process::id() % u32::from(COUNT)) as u16;
    let ports = (0..COUNT).map(|_| FIRST + (begin + GIVEN.fetch_add(1, Ordering::Relaxed)) % COUNT);
    let mut free = ports.filter(|port| TcpListener::bind(("0.0.0.0", *port)).is_ok());
    free.next().expect("no port is free")
}
