//! Event streams, read event by event.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{LoadError, Request, head};

/// Bytes that are read at once.
const READ: usize = 64 << 10;

/// An event stream that was granted. It goes on until this is dropped.
#[derive(Debug)]
pub struct Events {
    address: SocketAddr,
    stream: TcpStream,
    /// What came and is no whole chunk yet.
    raw: Vec<u8>,
    /// What came in chunks and is no whole event yet.
    body: Vec<u8>,
    /// How much of that was looked at.
    seen: usize,
}

impl Events {
    /// Ask for a stream with `request`, which has no body, on a connection of its own.
    ///
    /// # Errors
    /// The connection broke, or the answer is no stream.
    pub async fn open(address: SocketAddr, token: &str, request: &Request) -> Result<Self, LoadError> {
        let broken = |source| LoadError::Broken { address, source };
        let mut stream = TcpStream::connect(address).await.map_err(broken)?;
        stream.write_all(&request.head(address, token)).await.map_err(broken)?;
        let mut events = Self { address, stream, raw: Vec::new(), body: Vec::new(), seen: 0 };
        loop {
            let found = head::read(&events.raw);
            let found = found.map_err(|defect| LoadError::Head { target: request.target.clone(), defect })?;
            match found {
                Some(head) if head.status == request.expected => {
                    events.raw.drain(..head.size);
                    return Ok(events);
                }
                Some(head) => {
                    let (status, expected) = (head.status, request.expected);
                    return Err(LoadError::Status { target: request.target.clone(), status, expected });
                }
                None => events.read().await?,
            }
        }
    }

    /// The text of the next event, without the empty line behind it.
    ///
    /// # Errors
    /// The connection broke, or ended.
    pub async fn next(&mut self) -> Result<String, LoadError> {
        loop {
            let from = self.seen.saturating_sub(1);
            let end = self.body.get(from..).and_then(|new| new.windows(2).position(|pair| pair == b"\n\n"));
            if let Some(end) = end.map(|end| end + from) {
                let event = String::from_utf8_lossy(self.body.get(..end).unwrap_or_default()).into_owned();
                self.body.drain(..end + 2);
                self.seen = 0;
                return Ok(event);
            }
            self.seen = self.body.len();
            while !self.take_chunk() {
                self.read().await?;
            }
        }
    }

    /// Move a chunk from what came to the body, if it is whole.
    fn take_chunk(&mut self) -> bool {
        let Some(line) = self.raw.windows(2).position(|pair| pair == b"\r\n") else { return false };
        let length = self.raw.get(..line).and_then(|line| std::str::from_utf8(line).ok());
        let length = length.and_then(|line| usize::from_str_radix(line, 16).ok()).unwrap_or_default();
        let (from, to) = (line + 2, line + 2 + length);
        if self.raw.len() < to + 2 {
            return false;
        }
        self.body.extend_from_slice(self.raw.get(from..to).unwrap_or_default());
        self.raw.drain(..to + 2);
        true
    }

    async fn read(&mut self) -> Result<(), LoadError> {
        let broken = |source| LoadError::Broken { address: self.address, source };
        self.raw.reserve(READ);
        match self.stream.read_buf(&mut self.raw).await.map_err(broken)? {
            0 => Err(broken(io::ErrorKind::UnexpectedEof.into())),
            _ => Ok(()),
        }
    }
}
