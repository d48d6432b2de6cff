//! One connection, and every byte that comes back on it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};

use super::answer::Answer;
use super::request::Request;
use super::wait::PATIENCE;

/// The client's end of a connection. Every wait has a limit.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Connection {
    /// Connect to a port of this machine.
    #[track_caller]
    pub(crate) fn open(port: u16) -> Self {
        Self::try_open(port).unwrap_or_else(|cause| panic!("port {port}: {cause}"))
    }

    pub(crate) fn try_open(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream, unread: Vec::new() })
    }

    #[track_caller]
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).unwrap();
    }

    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.write_all(bytes.as_ref())
    }

    /// Say that nothing more will come.
    pub(crate) fn end_writing(&self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// Send a request and read its answer.
    #[track_caller]
    pub(crate) fn call(&mut self, request: &Request) -> Answer {
        self.send(request.bytes());
        if request.is_head() { self.head() } else { self.answer() }
    }

    /// Read one answer, by its length, its chunks, or to the end. One that ends too early is a failure.
    #[track_caller]
    pub(crate) fn answer(&mut self) -> Answer {
        let mut answer = self.head();
        let length = answer.header("content-length").map(|length| length.parse().unwrap());
        answer.body = if answer.header("transfer-encoding") == Some("chunked") {
            std::iter::from_fn(|| Some(self.chunk()).filter(|chunk| !chunk.is_empty())).flatten().collect()
        } else if let Some(length) = length {
            self.exactly(length)
        } else if answer.status < 200 || matches!(answer.status, 204 | 304) {
            Vec::new()
        } else {
            self.rest()
        };
        answer
    }

    /// Read the head of an answer only.
    #[track_caller]
    pub(crate) fn head(&mut self) -> Answer {
        Answer::of_head(&self.until(b"\r\n\r\n"))
    }

    /// One chunk; the last one is empty.
    #[track_caller]
    pub(crate) fn chunk(&mut self) -> Vec<u8> {
        let line = self.until(b"\r\n");
        let length = usize::from_str_radix(std::str::from_utf8(&line).unwrap().trim(), 16).unwrap();
        let chunk = self.exactly(length);
        assert_eq!(self.exactly(2), b"\r\n");
        chunk
    }

    /// Everything up to and with `end`.
    #[track_caller]
    pub(crate) fn until(&mut self, end: &[u8]) -> Vec<u8> {
        loop {
            if let Some(at) = self.unread.windows(end.len()).position(|window| window == end) {
                return self.unread.drain(..at + end.len()).collect();
            }
            assert!(self.more().unwrap(), "ended after {:?}", String::from_utf8_lossy(&self.unread));
        }
    }

    /// The next `length` bytes.
    #[track_caller]
    pub(crate) fn exactly(&mut self, length: usize) -> Vec<u8> {
        while self.unread.len() < length {
            assert!(self.more().unwrap(), "ended {} bytes early", length - self.unread.len());
        }
        self.unread.drain(..length).collect()
    }

    /// Take at most so many bytes out of the system's hands, as a client does that has no buffer of its own.
    #[track_caller]
    pub(crate) fn sip(&mut self, most: usize) {
        let mut bytes = vec![0; most];
        let read = self.stream.read(&mut bytes).unwrap();
        assert!(read > 0, "the server has closed");
        self.unread.extend_from_slice(&bytes[..read]);
    }

    /// Everything up to a clean end.
    #[track_caller]
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        while self.more().unwrap() {}
        std::mem::take(&mut self.unread)
    }

    /// Everything up to the end, and whether that was a clean one.
    pub(crate) fn rest_of_any_end(&mut self) -> (Vec<u8>, io::Result<()>) {
        let end = loop {
            match self.more() {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(cause) => break Err(cause),
            }
        };
        assert!(
            !matches!(&end, Err(cause) if cause.kind() == io::ErrorKind::WouldBlock),
            "nothing more came, no end either"
        );
        (std::mem::take(&mut self.unread), end)
    }

    /// Assert that the server closes, cleanly and with nothing more to say.
    #[track_caller]
    pub(crate) fn is_closed(&mut self) {
        assert_eq!(String::from_utf8_lossy(&self.rest()), "");
    }

    fn more(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 64 * 1024];
        let read = self.stream.read(&mut bytes)?;
        self.unread.extend_from_slice(&bytes[..read]);
        Ok(read > 0)
    }
}
