//! What comes from the peer.

use tokio::io::{AsyncRead, AsyncReadExt, ReadHalf};
use tokio::time::{Instant, timeout};

use super::{Closed, Conversation, Line, Settings};
use crate::close::Close;
use crate::decoder::{Decoder, Found, Incoming};

/// Bytes of a read.
const READ: usize = 8 * 1024;

/// The reading half of a socket.
pub(super) struct Inbound<S> {
    reader: ReadHalf<S>,
    decoder: Decoder,
    settings: Settings,
}

impl<S: AsyncRead + Send> Inbound<S> {
    pub(super) fn new(reader: ReadHalf<S>, settings: &Settings) -> Self {
        Self { reader, decoder: Decoder::new(settings.most_message), settings: *settings }
    }

    /// Takes messages until the connection is to be closed.
    pub(super) async fn run(&mut self, conversation: &impl Conversation, line: &Line) -> Closed {
        let pong_within = self.settings.pong_within;
        loop {
            match self.decoder.next() {
                Ok(Some(incoming)) => {
                    if let Some(closed) = take(incoming, conversation, line).await {
                        return closed;
                    }
                }
                Ok(None) => {
                    tokio::select! {
                        // What has come counts before what has not.
                        biased;
                        read = self.read() => if !read { return Closed::Lost },
                        () = line.overdue(pong_within) => return Closed::ByUs(Close::unanswered()),
                    }
                }
                Err(close) => return Closed::ByUs(close),
            }
        }
    }

    /// Takes what had come when the connection broke.
    pub(super) async fn rest(&mut self, conversation: &impl Conversation, line: &Line) -> Closed {
        let rest = timeout(self.settings.close_within, self.run(conversation, line)).await;
        rest.unwrap_or(Closed::Lost)
    }

    /// Waits for the peer's close frame, or its end; throws everything else away.
    pub(super) async fn find_close(&mut self) {
        while self.decoder.find_close() != Found::Close {
            if !self.read().await {
                return;
            }
        }
    }

    /// Whether there was something. Cancel safe.
    async fn read(&mut self) -> bool {
        let inbox = self.decoder.inbox();
        inbox.reserve(READ);
        matches!(self.reader.read_buf(inbox).await, Ok(1..))
    }
}

async fn take(incoming: Incoming, conversation: &impl Conversation, line: &Line) -> Option<Closed> {
    match incoming {
        Incoming::Message(message) => {
            let begun = Instant::now();
            line.is_busy();
            let close = conversation.receive(message).await;
            line.was_busy(begun.elapsed());
            return close.map(Closed::ByUs);
        }
        Incoming::Ping(payload) => line.owe(payload),
        Incoming::Pong(payload) => line.answered(&payload),
        Incoming::Close(close) => return Some(Closed::ByPeer(close)),
    }
    None
}
