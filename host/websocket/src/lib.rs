//! The server's end of a WebSocket (RFC 6455), between the upgrade of an HTTP connection and the meaning of messages.
//!
//! | module | what it holds |
//! |---|---|
//! | [`handshake`] | whether a request may be upgraded, and what the answer needs |
//! | `frame`, `decoder` | frames, and the messages that are made of them; no I/O |
//! | [`close`] | codes and reasons |
//! | [`conversation`] | a socket at work: both directions, pings, slow peers, the closing handshake |
//!
//! Heads of frames are read and written by `tungstenite`; its own sockets are not used, since they end a connection for a
//! text that is no UTF-8, and can't say how fast a peer takes what it gets. What a text must be is up to the user here.

pub mod close;
pub mod conversation;
mod decoder;
mod frame;
pub mod handshake;

pub use close::Close;
pub use conversation::{Closed, Conversation, Outgoing, Settings, converse};
pub use decoder::Message;
