//! The Chrome DevTools Protocol, as far as this crate speaks it, over a pair of pipes (`--remote-debugging-pipe`).
//!
//! A port would be open to every process of the machine, and with it a browser that obeys whoever comes; two pipes are
//! nobody's but the server's. Nothing here knows what is said: `protocol` has the words, the rest carries them.
//!
//! | file | what it holds |
//! |---|---|
//! | `protocol` | commands and events, one file for each domain |
//! | `command` | what a command is |
//! | `connection` | calling, and waiting for the reply |
//! | `reader`, `frames` | taking messages off the pipe and handing them on |
//! | `message` | taking one message apart |

mod command;
mod connection;
mod frames;
mod message;
pub(crate) mod protocol;
mod reader;

pub(crate) use command::{Command, Event};
pub(crate) use connection::{CallError, Connection};
pub(crate) use message::SessionId;
pub(crate) use reader::{Listener, Reactions};
