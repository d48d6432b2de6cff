//! What is said: one file for each domain of the protocol, with the parameters that are used and what is read of replies and
//! events. Everything else in a message is passed over, so that a browser which says more is still understood.
//!
//! Source: the protocol's own description, <https://chromedevtools.github.io/devtools-protocol/>.

pub(crate) mod browser;
pub(crate) mod emulation;
pub(crate) mod fetch;
pub(crate) mod input;
pub(crate) mod inspector;
pub(crate) mod io;
pub(crate) mod log;
pub(crate) mod network;
pub(crate) mod page;
pub(crate) mod runtime;
pub(crate) mod target;

/// A reply of which nothing is read.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Nothing {}
