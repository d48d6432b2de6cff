//! The client's end of a WebSocket, frame by frame, so that tests can send what no library would.

use serde_json::Value;

use super::{Answer, Connection, Request};

/// The key and the answer to it of RFC 6455 §1.3.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// Any mask does.
const MASK: [u8; 4] = [0x5a, 0x01, 0xff, 0x80];

pub(crate) const TEXT: u8 = 1;
pub(crate) const BINARY: u8 = 2;
pub(crate) const CLOSE: u8 = 8;
pub(crate) const PING: u8 = 9;
pub(crate) const PONG: u8 = 10;

/// The last fragment of a message, or all of it.
const FINAL: u8 = 0x80;

/// A frame of the server's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
    pub(crate) kind: u8,
    pub(crate) payload: Vec<u8>,
}

impl Heard {
    /// The JSON of a text.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.kind, TEXT, "{self:?}");
        serde_json::from_slice(&self.payload).unwrap_or_else(|cause| panic!("{cause}: {self:?}"))
    }

    /// Code and reason of a close.
    #[track_caller]
    pub(crate) fn close(&self) -> (u16, String) {
        assert_eq!(self.kind, CLOSE, "{self:?}");
        let code = u16::from_be_bytes([self.payload[0], self.payload[1]]);
        (code, String::from_utf8(self.payload[2..].to_vec()).unwrap())
    }
}

/// A handshake for a target.
pub(crate) fn handshake(target: &str) -> Request {
    let request = Request::new("GET", target).header("Connection", "Upgrade").header("Upgrade", "websocket");
    request.header("Sec-WebSocket-Version", "13").header("Sec-WebSocket-Key", KEY)
}

/// The bytes of a frame, with the first one as given.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | u8::try_from(short).unwrap()),
        middle @ 126..65_536 => {
            bytes.push(0x80 | 126);
            bytes.extend(u16::try_from(middle).unwrap().to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 127);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    bytes.extend(MASK);
    bytes.extend(payload.iter().zip(MASK.into_iter().cycle()).map(|(byte, key)| byte ^ key));
    bytes
}

/// A socket. Pings are answered as they are met.
#[derive(Debug)]
pub(crate) struct Socket {
    pub(crate) connection: Connection,
}

impl Socket {
    /// Open one, which has to be granted.
    #[track_caller]
    pub(crate) fn open(port: u16, handshake: &Request) -> Self {
        Self::try_open(port, handshake).unwrap_or_else(|answer| panic!("{answer:?}"))
    }

    /// Open one; what is answered where it is not granted.
    #[track_caller]
    pub(crate) fn try_open(port: u16, handshake: &Request) -> Result<Self, Answer> {
        let mut connection = Connection::open(port);
        connection.send(handshake.bytes());
        let mut head = connection.head();
        if head.status != 101 {
            let length = head.header("content-length").unwrap().parse().unwrap();
            head.body = connection.exactly(length);
            return Err(head);
        }
        assert_eq!(head.header("sec-websocket-accept"), Some(ACCEPT), "{head:?}");
        assert_eq!(head.header("upgrade"), Some("websocket"), "{head:?}");
        assert_eq!(head.header("sec-websocket-protocol"), None, "{head:?}");
        Ok(Self { connection })
    }

    /// A whole message of a kind.
    #[track_caller]
    pub(crate) fn send(&mut self, kind: u8, payload: impl AsRef<[u8]>) {
        self.connection.send(frame(FINAL | kind, payload.as_ref()));
    }

    /// A message, as JSON text.
    #[track_caller]
    pub(crate) fn say(&mut self, message: &Value) {
        self.send(TEXT, message.to_string());
    }

    /// Say why the socket is to be closed.
    #[track_caller]
    pub(crate) fn say_close(&mut self, code: u16) {
        self.send(CLOSE, code.to_be_bytes());
    }

    /// The next frame, whatever it is.
    #[track_caller]
    pub(crate) fn frame(&mut self) -> Heard {
        let head = self.connection.exactly(2);
        assert_eq!((head[0] & 0xf0, head[1] & 0x80), (FINAL, 0), "not one whole frame without a mask: {head:?}");
        let length = match head[1] {
            126 => u64::from(u16::from_be_bytes(self.connection.exactly(2).try_into().unwrap())),
            127 => u64::from_be_bytes(self.connection.exactly(8).try_into().unwrap()),
            short => u64::from(short),
        };
        let payload = self.connection.exactly(usize::try_from(length).unwrap());
        Heard { kind: head[0] & 0x0f, payload }
    }

    /// The next frame that is no ping.
    #[track_caller]
    pub(crate) fn hear(&mut self) -> Heard {
        loop {
            let heard = self.frame();
            if heard.kind != PING {
                return heard;
            }
            self.send(PONG, &heard.payload);
        }
    }

    /// The close after whatever is still said before it; the server closes the connection then, as it was asked to.
    #[track_caller]
    pub(crate) fn hear_close(mut self) -> (u16, String) {
        let mut heard = self.hear();
        while heard.kind == TEXT {
            heard = self.hear();
        }
        let close = heard.close();
        self.connection.is_closed();
        close
    }

    /// The next frame, which has to be a close; the server closes the connection when it is answered.
    #[track_caller]
    pub(crate) fn closes(mut self) -> (u16, String) {
        let close = self.hear().close();
        self.say_close(close.0);
        self.connection.is_closed();
        close
    }
}
