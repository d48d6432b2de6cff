//! One connection of the generator.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::head::{self, Head, Length};
use super::{LoadError, Payload, Request};

/// Bytes that are read at once.
const READ: usize = 256 << 10;

/// How a slow client reads: so many bytes, then a pause; and when it has had enough.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Bytes at once.
    pub bytes: usize,
    /// The pause after them.
    pub pause: Duration,
    /// Bytes of a body after which the client leaves.
    pub enough: u64,
}

/// What became of a request.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Bytes of its body.
    pub bytes: u64,
}

/// A client with one connection, which is made when it is needed and made anew when the server has closed it.
#[derive(Debug)]
pub struct Connection {
    address: SocketAddr,
    head: Vec<u8>,
    request: Request,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
    pace: Option<Pace>,
}

impl Connection {
    /// A client that sends `request` to `address`.
    #[must_use]
    pub fn new(address: SocketAddr, token: &str, request: Request, pace: Option<Pace>) -> Self {
        let most = pace.map_or(READ, |pace| pace.bytes);
        let head = request.head(address, token);
        Self { address, head, request, stream: None, buffer: vec![0; most], pace }
    }

    /// Send the request and read the whole answer.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn exchange(&mut self) -> Result<Answer, LoadError> {
        let reused = self.stream.is_some();
        match self.attempt().await {
            // The server was free to close the connection in the meantime.
            Err(LoadError::Broken { .. }) if reused => {
                self.stream = None;
                self.attempt().await
            }
            outcome => outcome,
        }
    }

    async fn attempt(&mut self) -> Result<Answer, LoadError> {
        let address = self.address;
        let broken = |source| LoadError::Broken { address, source };
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(address).await.map_err(broken)?;
                stream.set_nodelay(true).map_err(broken)?;
                stream
            }
        };
        write(&mut stream, &self.head, self.request.payload()).await.map_err(broken)?;
        let (head, early) = self.read_head(&mut stream).await?;
        if head.status != self.request.expected {
            return Err(LoadError::Status {
                target: self.request.target.clone(),
                status: head.status,
                expected: self.request.expected,
            });
        }
        let bytes = self.read_body(&mut stream, head.length, early).await.map_err(broken)?;
        if head.keeps_alive && head.length == Length::Known(bytes) {
            self.stream = Some(stream);
        }
        Ok(Answer { bytes })
    }

    /// The head, and how many bytes of the body came with it.
    async fn read_head(&mut self, stream: &mut TcpStream) -> Result<(Head, u64), LoadError> {
        let mut filled = 0;
        loop {
            let free = self.buffer.get_mut(filled..).unwrap_or_default();
            let read = if free.is_empty() { Ok(0) } else { stream.read(free).await };
            let read = read.map_err(|source| LoadError::Broken { address: self.address, source })?;
            if read == 0 {
                let source = io::ErrorKind::UnexpectedEof.into();
                return Err(LoadError::Broken { address: self.address, source });
            }
            filled += read;
            let read = head::read(self.buffer.get(..filled).unwrap_or_default());
            let read = read.map_err(|defect| LoadError::Head { target: self.request.target.clone(), defect })?;
            if let Some(head) = read {
                let early = (filled - head.size) as u64;
                return Ok((head, early));
            }
        }
    }

    /// Read the body, of which `early` bytes are there, and forget it. Returns its size, or what was enough of it.
    async fn read_body(&mut self, stream: &mut TcpStream, length: Length, early: u64) -> io::Result<u64> {
        let mut due = match length {
            Length::Known(length) => length,
            Length::UntilClosed => u64::MAX,
        };
        if let Some(pace) = self.pace {
            due = due.min(pace.enough);
        }
        let mut got = early;
        while got < due {
            let read = stream.read(&mut self.buffer).await?;
            if read == 0 {
                let ends_here = length == Length::UntilClosed;
                return if ends_here { Ok(got) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
            }
            got += read as u64;
            if let Some(pace) = self.pace {
                tokio::time::sleep(pace.pause).await;
            }
        }
        Ok(got)
    }
}

async fn write(stream: &mut TcpStream, head: &[u8], payload: &Payload) -> io::Result<()> {
    stream.write_all(head).await?;
    match payload {
        Payload::None => Ok(()),
        Payload::Json(text) => stream.write_all(text).await,
        Payload::Raw { block, length } => {
            let mut left = *length;
            while left > 0 {
                let most = usize::try_from(left).unwrap_or(usize::MAX);
                let part = block.get(..most).unwrap_or(block);
                stream.write_all(part).await?;
                left -= part.len() as u64;
            }
            Ok(())
        }
    }
}
