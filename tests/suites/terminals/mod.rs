//! The terminal group over HTTP and its socket, where the conformance cases leave off (contract: terminal).

mod clients;
mod endings;
mod identities;
mod keys;
mod kit;
mod limits;
mod messages;
mod refusals;
mod sessions;
mod shutdown;
mod slow;
mod transport;
mod xterm;

pub(crate) use kit::{Client, Terminal};
