//! Event streams as they come (contract: pipeline §8).

use serde_json::Value;

use super::{Answer, Connection, Request, Server};

/// One frame of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Frame {
    Event { name: String, data: Value },
    Comment,
}

/// A stream that is being read.
#[derive(Debug)]
pub(crate) struct Events {
    pub(crate) head: Answer,
    connection: Connection,
    unread: Vec<u8>,
    ended: bool,
}

impl Events {
    /// Open a stream, which has to be granted.
    #[track_caller]
    pub(crate) fn open(server: &Server, request: &Request) -> Self {
        let mut connection = server.connect();
        connection.send(request.clone().header("Accept", "text/event-stream").bytes());
        let mut head = connection.head();
        if head.status != 200 {
            let length: usize = head.header("content-length").unwrap().parse().unwrap();
            head.body = connection.exactly(length);
        }
        assert_eq!(head.status, 200, "{head:?}");
        assert_eq!(head.header("transfer-encoding"), Some("chunked"), "{head:?}");
        Self { head, connection, unread: Vec::new(), ended: false }
    }

    /// The next frame; `None` at a good end. An end without the last chunk is a failure.
    #[track_caller]
    pub(crate) fn frame(&mut self) -> Option<Frame> {
        loop {
            if let Some(end) = self.unread.windows(2).position(|pair| pair == b"\n\n") {
                let frame: Vec<u8> = self.unread.drain(..end + 2).collect();
                return Some(parse(&frame));
            }
            if self.ended {
                assert_eq!(String::from_utf8_lossy(&self.unread), "", "half a frame");
                return None;
            }
            let chunk = self.connection.chunk();
            self.ended = chunk.is_empty();
            self.unread.extend(chunk);
        }
    }

    /// All events up to a good end, comments left out.
    #[track_caller]
    pub(crate) fn rest(mut self) -> Vec<(String, Value)> {
        std::iter::from_fn(|| self.event()).collect()
    }

    /// Everything up to an end that is not a good one, as it came.
    #[track_caller]
    pub(crate) fn rest_of_a_broken_one(mut self) -> String {
        let (rest, _) = self.connection.rest_of_any_end();
        let text = String::from_utf8_lossy(&self.unread).into_owned() + &String::from_utf8_lossy(&rest);
        assert!(!self.ended && !text.ends_with("0\r\n\r\n"), "it came to its end: {text}");
        text
    }

    /// Say that nothing more will be sent, and read on.
    pub(crate) fn end_writing(&self) {
        self.connection.end_writing();
    }

    /// The next event, comments passed over.
    #[track_caller]
    pub(crate) fn event(&mut self) -> Option<(String, Value)> {
        loop {
            match self.frame()? {
                Frame::Event { name, data } => return Some((name, data)),
                Frame::Comment => {}
            }
        }
    }

    /// Everything that still comes, and whether the end was a good one.
    pub(crate) fn rest_and_end(mut self) -> (String, bool) {
        let (rest, end) = self.connection.rest_of_any_end();
        let good = self.ended || (end.is_ok() && rest.ends_with(b"0\r\n\r\n"));
        let all = [self.unread, rest].concat();
        (String::from_utf8_lossy(&all).into_owned(), good)
    }
}

#[track_caller]
fn parse(frame: &[u8]) -> Frame {
    let text = std::str::from_utf8(frame).unwrap();
    if text.starts_with(':') {
        return Frame::Comment;
    }
    let lines: Vec<_> = text.trim_end_matches('\n').split('\n').collect();
    let [name, data] = lines[..] else { panic!("not one event and its data: {text:?}") };
    let name = name.strip_prefix("event: ").unwrap_or_else(|| panic!("{text:?}"));
    let data = data.strip_prefix("data: ").unwrap_or_else(|| panic!("{text:?}"));
    Frame::Event { name: name.to_owned(), data: serde_json::from_str(data).unwrap() }
}
