//! A client at one terminal: a WebSocket, by a thread that waits.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(120);
/// Longest wait for a listener to be there.
const START: Duration = Duration::from_secs(10);
/// Bytes of a read.
const READ: usize = 64 << 10;

const TEXT: u8 = 1;
const PING: u8 = 9;
const PONG: u8 = 10;

/// See the module. It leaves when it is dropped.
#[derive(Debug)]
pub struct Terminal {
    stream: TcpStream,
    inbox: Vec<u8>,
    /// What was looked at of it.
    used: usize,
}

/// Connect to a listener that may come up a moment after the one for HTTP.
fn connected(address: SocketAddr) -> io::Result<TcpStream> {
    let end = Instant::now() + START;
    loop {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Err(cause) if cause.kind() == io::ErrorKind::ConnectionRefused && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(20));
            }
            connected => return connected,
        }
    }
}

impl Terminal {
    /// Attach to a session.
    ///
    /// # Errors
    /// The connection is not made or not upgraded.
    pub fn attach(address: SocketAddr, token: &str, session: &str) -> io::Result<Self> {
        let mut stream = connected(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let head = format!(
            "GET /pty?session_id={session} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        let mut terminal = Self { stream, inbox: Vec::new(), used: 0 };
        loop {
            terminal.read()?;
            if let Some(end) = terminal.inbox.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                terminal.used = end + 4;
                let upgraded = terminal.inbox.starts_with(b"HTTP/1.1 101 ");
                return if upgraded { Ok(terminal) } else { Err(io::ErrorKind::InvalidData.into()) };
            }
        }
    }

    /// Type a text.
    ///
    /// # Errors
    /// The connection is broken.
    pub fn types(&mut self, text: &str) -> io::Result<()> {
        self.send(TEXT, json!({"type": "input", "data": text}).to_string().as_bytes())
    }

    /// Wait until a text is shown, as JSON writes it; bytes of the messages meanwhile.
    ///
    /// # Errors
    /// The connection is broken, or what comes is no text.
    pub fn sees(&mut self, text: &str) -> io::Result<usize> {
        // A text may begin in one message and end in the next.
        let mut border = String::new();
        let mut bytes = 0;
        loop {
            let message = self.message()?;
            bytes += message.len();
            let shown = std::str::from_utf8(data(&message)).map_err(io::Error::other)?;
            if shown.contains(text) {
                return Ok(bytes);
            }
            border.push_str(shown.get(..shown.floor_char_boundary(text.len())).unwrap_or_default());
            if border.contains(text) {
                return Ok(bytes);
            }
            let end = if shown.len() < text.len() { border.as_str() } else { shown };
            let from = end.floor_char_boundary(end.len().saturating_sub(text.len()));
            border = end.get(from..).unwrap_or_default().to_owned();
        }
    }

    /// The next message. Pings are answered.
    fn message(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let head = self.take(2)?;
            let (first, short) = (head.first().copied().unwrap_or_default(), head.get(1).copied().unwrap_or_default());
            let length = match short {
                126 => number(&self.take(2)?),
                127 => number(&self.take(8)?),
                short => usize::from(short),
            };
            let payload = self.take(length)?;
            match first & 0x0f {
                TEXT => return Ok(payload),
                PING => self.send(PONG, &payload)?,
                _ => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }

    /// A frame, with a mask that changes nothing.
    fn send(&mut self, kind: u8, payload: &[u8]) -> io::Result<()> {
        let mut frame = vec![0x80 | kind];
        match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
            (Ok(short @ 0..126), _) => frame.push(0x80 | short),
            (_, Ok(length)) => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        self.stream.write_all(&frame)
    }

    fn take(&mut self, length: usize) -> io::Result<Vec<u8>> {
        while self.inbox.len() - self.used < length {
            self.read()?;
        }
        let taken = self.inbox.get(self.used..self.used + length).unwrap_or_default().to_vec();
        self.used += length;
        Ok(taken)
    }

    fn read(&mut self) -> io::Result<()> {
        self.inbox.drain(..self.used);
        self.used = 0;
        let mut bytes = [0; READ];
        let read = self.stream.read(&mut bytes)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.inbox.extend(bytes.get(..read).unwrap_or_default());
        Ok(())
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// What an output message carries, as it is written; nothing of other messages.
fn data(message: &[u8]) -> &[u8] {
    const NAME: &[u8] = b"\"data\":";
    let Some(at) = message.windows(NAME.len()).position(|bytes| bytes == NAME) else { return &[] };
    let value = message.get(at + NAME.len()..).unwrap_or_default().trim_ascii();
    value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"}")).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::data;

    #[test]
    fn either_way_of_writing_json_is_read() {
        assert_eq!(data(br#"{"type":"output","data":"a\"b"}"#), br#"a\"b"#);
        assert_eq!(data(br#"{"type": "output", "data": "x"}"#), b"x");
        assert_eq!(data(br#"{"type":"event","event":"started"}"#), b"");
    }
}
