//! The end of a connection whose peer may still be writing.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use crate::rejection::Rejection;
use crate::wire::Wire;

/// Longest silence that is waited out.
const SILENCE: Duration = Duration::from_secs(2);
/// Longest wait in all.
const WHOLE: Duration = Duration::from_secs(10);
/// Most bytes swallowed.
const BYTES: u64 = 64 * 1024 * 1024;
/// Longest wait for the peer to take the answer to a bad head.
const ANSWER: Duration = Duration::from_secs(5);

/// Closes the writing side and swallows what still comes, until the peer has closed too. A socket closed with unread
/// bytes resets the connection, and the reset may overtake the answer (contract: pipeline §2).
pub(crate) async fn linger(wire: &Wire) {
    wire.end_writing();
    let stream = wire.stream();
    let last = Instant::now() + WHOLE;
    let mut scratch = vec![0; 16 * 1024];
    let mut swallowed = 0_u64;
    while swallowed < BYTES {
        let deadline = last.min(Instant::now() + SILENCE);
        match timeout_at(deadline, stream.readable()).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
        match stream.try_read(&mut scratch) {
            Ok(0) => return,
            Ok(bytes) => swallowed += bytes as u64,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}

/// Writes the answer to a head that got no further. A peer that doesn't take it is not waited for.
pub(crate) async fn refuse(wire: &Wire, rejection: Rejection) {
    let _ = timeout_at(Instant::now() + ANSWER, write_all(wire.stream(), &rejection.answer())).await;
}

async fn write_all(stream: &TcpStream, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        stream.writable().await?;
        match stream.try_write(bytes) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
