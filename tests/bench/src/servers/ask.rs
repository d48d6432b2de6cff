//! Single requests, on connections of their own, by a thread that waits.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::Bed;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Send a request without a body, wait until its answer has ended, and tell its status.
pub(super) fn ask(address: SocketAddr, method: &str, target: &str) -> io::Result<u16> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let token = Bed::TOKEN;
    let head = format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n");
    stream.write_all(format!("{head}Content-Length: 0\r\nConnection: close\r\n\r\n").as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let status = answer.get(9..12).and_then(|status| std::str::from_utf8(status).ok());
    status.and_then(|status| status.parse().ok()).ok_or_else(|| io::ErrorKind::InvalidData.into())
}
