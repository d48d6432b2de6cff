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

/// How often an insistent request is sent at most.
const RESETS: u32 = 100;

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
    /// The last body, where bodies are kept.
    kept: Option<Vec<u8>>,
}

impl Connection {
    /// A client that sends `request` to `address`.
    #[must_use]
    pub fn new(address: SocketAddr, token: &str, request: Request, pace: Option<Pace>) -> Self {
        let most = pace.map_or(READ, |pace| pace.bytes);
        let head = request.head(address, token);
        Self { address, head, request, stream: None, buffer: vec![0; most], pace, kept: None }
    }

    /// The same, but the last body that came whole can be looked at.
    #[must_use]
    pub fn keeping(self) -> Self {
        Self { kept: Some(Vec::new()), ..self }
    }

    /// The body of the last answer, as it came: with what stands around its chunks, if it has any.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.kept.as_deref().unwrap_or_default()
    }

    /// Send the request and read the whole answer.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn exchange(&mut self) -> Result<Answer, LoadError> {
        let reused = self.stream.is_some();
        let mut outcome = self.attempt().await;
        // The server was free to close the connection in the meantime.
        let mut left = if self.request.insistent { RESETS } else { u32::from(reused) };
        while left > 0 && matches!(outcome, Err(LoadError::Broken { .. })) {
            left -= 1;
            self.stream = None;
            outcome = self.attempt().await;
        }
        outcome
    }

    /// The same, sent once, whatever becomes of it.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn attempt(&mut self) -> Result<Answer, LoadError> {
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
        let (head, filled) = self.read_head(&mut stream).await?;
        if head.status != self.request.expected {
            return Err(LoadError::Status {
                target: self.request.target.clone(),
                status: head.status,
                expected: self.request.expected,
            });
        }
        if let Some(kept) = &mut self.kept {
            kept.clear();
            kept.extend_from_slice(self.buffer.get(head.size..filled).unwrap_or_default());
        }
        let bytes = match head.length {
            Length::Chunked => self.read_chunks(&mut stream, head.size, filled).await,
            length => self.read_body(&mut stream, length, (filled - head.size) as u64).await,
        };
        let bytes = bytes.map_err(broken)?;
        if head.keeps_alive && matches!(head.length, Length::Chunked | Length::Known(_)) && self.is_whole(&head, bytes)
        {
            self.stream = Some(stream);
        }
        Ok(Answer { bytes })
    }

    /// Whether nothing of the body is left on the connection.
    fn is_whole(&self, head: &Head, bytes: u64) -> bool {
        head.length == Length::Known(bytes) || (head.length == Length::Chunked && self.pace.is_none())
    }

    /// The head, and how many bytes there are in the buffer: some of the body may have come with it.
    async fn read_head(&mut self, stream: &mut TcpStream) -> Result<(Head, usize), LoadError> {
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
                return Ok((head, filled));
            }
        }
    }

    /// Read a body in chunks, of which the bytes from `from` to `filled` are in the buffer. Returns its size, the chunks'
    /// own lines counted in.
    async fn read_chunks(&mut self, stream: &mut TcpStream, from: usize, mut filled: usize) -> io::Result<u64> {
        let (mut from, mut tail, mut got) = (from, Tail::default(), 0);
        loop {
            let bytes = self.buffer.get(from..filled).unwrap_or_default();
            got += bytes.len() as u64;
            if tail.ends(bytes) {
                return Ok(got);
            }
            filled = self.read_more(stream).await?;
            if filled == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            from = 0;
        }
    }

    /// Some more of a body, which is in the buffer then. Returns how much.
    async fn read_more(&mut self, stream: &mut TcpStream) -> io::Result<usize> {
        let read = stream.read(&mut self.buffer).await?;
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(self.buffer.get(..read).unwrap_or_default());
        }
        Ok(read)
    }

    /// Read the body, of which `early` bytes are there. Returns its size, or what was enough of it.
    async fn read_body(&mut self, stream: &mut TcpStream, length: Length, early: u64) -> io::Result<u64> {
        let mut due = match length {
            Length::Known(length) => length,
            Length::Chunked | Length::UntilClosed => u64::MAX,
        };
        if let Some(pace) = self.pace {
            due = due.min(pace.enough);
        }
        let mut got = early;
        while got < due {
            let read = self.read_more(stream).await?;
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

/// The end of what came so far. The chunks that are measured hold JSON and event streams, in which no CR stands as it is:
/// so what looks like the last chunk is it.
#[derive(Debug)]
struct Tail(Vec<u8>);

/// The last chunk, behind the end of the one before.
const LAST: &[u8] = b"\r\n0\r\n\r\n";

impl Default for Tail {
    /// As if a chunk had ended: a body may have none but the last.
    fn default() -> Self {
        Self(b"\r\n".to_vec())
    }
}

impl Tail {
    /// Whether the body ends with `bytes`.
    fn ends(&mut self, bytes: &[u8]) -> bool {
        let from = bytes.len().saturating_sub(LAST.len());
        self.0.extend_from_slice(bytes.get(from..).unwrap_or_default());
        self.0.drain(..self.0.len().saturating_sub(LAST.len()));
        self.0 == LAST
    }
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn a_body_ends_with_its_last_chunk_wherever_reads_end() {
        let body = b"5\r\nhello\r\n0\r\n\r\n";
        for size in 1..=body.len() {
            let mut tail = Tail::default();
            let ends: Vec<_> = body.chunks(size).map(|part| tail.ends(part)).collect();
            assert!(ends.iter().rev().skip(1).all(|end| !end) && ends.last() == Some(&true), "{size}");
        }
        assert!(Tail::default().ends(b"0\r\n\r\n"));
        assert!(!Tail::default().ends(b"5\r\n10\r\n\r"));
    }
}
