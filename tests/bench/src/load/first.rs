//! Answers that have only begun: event streams whose first event is there.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{LoadError, Payload, Request};

/// What ends an event, and nothing else in an answer's head or in what is around its chunks.
const END: &[u8] = b"\n\n";

/// A stream that has begun. It goes on until this is dropped.
#[derive(Debug)]
pub struct Begun {
    /// From the first byte of the request to the first event.
    pub took: Duration,
    _stream: TcpStream,
}

/// Send `request` on a connection of its own and wait for the first event of the answer.
///
/// # Errors
/// The connection broke, or the answer ended without an event.
pub async fn begin(address: SocketAddr, token: &str, request: &Request) -> Result<Begun, LoadError> {
    let broken = |source| LoadError::Broken { address, source };
    let mut stream = TcpStream::connect(address).await.map_err(broken)?;
    stream.set_nodelay(true).map_err(broken)?;
    let begin = Instant::now();
    stream.write_all(&request.head(address, token)).await.map_err(broken)?;
    if let Payload::Json(text) = request.payload() {
        stream.write_all(text).await.map_err(broken)?;
    }
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    while !answer.windows(END.len()).any(|window| window == END) {
        let read = stream.read(&mut buffer).await.map_err(broken)?;
        if read == 0 {
            return Err(broken(io::ErrorKind::UnexpectedEof.into()));
        }
        answer.extend_from_slice(buffer.get(..read).unwrap_or_default());
    }
    Ok(Begun { took: begin.elapsed(), _stream: stream })
}
