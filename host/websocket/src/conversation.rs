//! A socket at work.
//!
//! [`converse`] is one future and starts no task: whoever spawns it owns the socket, both halves of it, the buffers and
//! all timers, and dropping it cuts the connection. It ends when the connection has ended; every wait in it has a limit:
//!
//! * the peer takes nothing, or trickles, while there is something for it: [`Settings::patience`], then 1013;
//! * a ping is not answered: [`Settings::pong_within`], then 1011. Time in which a message is being received does not
//!   count, since nothing is read then;
//! * the closing handshake: [`Settings::close_within`].
//!
//! Memory: one message in (at most [`Settings::most_message`]), one message out, and what was read beyond.

mod closing;
mod inbound;
mod line;
mod outbound;
mod pace;
#[cfg(test)]
mod tests;

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use crate::close::Close;
use crate::decoder::Message;

use inbound::Inbound;
use line::Line;
use outbound::Outbound;

/// Limits of one socket.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes of the largest message that is taken.
    pub most_message: usize,
    /// Time between two pings.
    pub ping_every: Duration,
    /// Longest wait for the answer to a ping.
    pub pong_within: Duration,
    /// Longest closing handshake.
    pub close_within: Duration,
    /// How long a peer may stay behind without taking [`Settings::least`] bytes.
    pub patience: Duration,
    /// What a peer that is behind has to take in that time.
    pub least: usize,
}

/// Something for the peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// A message of text.
    Text(String),
    /// The end.
    Close(Close),
}

/// What a socket is used for.
pub trait Conversation: Sync {
    /// The next thing for the peer; waits for ever if there is none. Called again after each, and dropped and called again
    /// whenever something else is to be sent meanwhile: nothing may get lost by that.
    fn next(&self) -> impl Future<Output = Outgoing> + Send;

    /// Acts on a message. Nothing more is read until it is done. What it returns is what to close with.
    fn receive(&self, message: Message) -> impl Future<Output = Option<Close>> + Send;
}

/// How a socket ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The peer has closed, and may have said why.
    ByPeer(Option<Close>),
    /// This side has closed.
    ByUs(Close),
    /// The connection broke.
    Lost,
}

/// Talks to the peer until the connection has ended. The conversation is dropped as soon as it is over, before the closing
/// handshake.
pub async fn converse<S>(stream: S, conversation: impl Conversation, settings: &Settings) -> Closed
where
    S: AsyncRead + AsyncWrite + Send,
{
    let (reader, writer) = tokio::io::split(stream);
    let line = Line::default();
    let mut inbound = Inbound::new(reader, settings);
    let mut outbound = Outbound::new(writer, settings);
    let mut closed = tokio::select! {
        closed = inbound.run(&conversation, &line) => closed,
        closed = outbound.run(&conversation, &line) => closed,
    };
    if closed == Closed::Lost {
        // A peer that is gone may have said something before: that counts.
        closed = inbound.rest(&conversation, &line).await;
    }
    drop(conversation);
    closing::close(inbound, outbound, &closed, settings.close_within).await;
    closed
}
