//! Single requests, on connections of their own, by a thread that waits.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::Bed;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Send a request, wait until its answer has ended; its status and body.
pub(super) fn ask(address: SocketAddr, method: &str, target: &str, body: &str) -> io::Result<(u16, Vec<u8>)> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let token = Bed::TOKEN;
    let head = format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n");
    stream.write_all(format!("{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let status = answer.get(9..12).and_then(|status| std::str::from_utf8(status).ok());
    let status = status.and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(answer.len());
    Ok((status, answer.get(end + 4..).unwrap_or_default().to_vec()))
}
