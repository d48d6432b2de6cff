//! What every suite stands on: a server of its own for each test, and a client that sees every byte.

mod answer;
mod connection;
mod events;
mod log;
mod memory_group;
mod namespace;
mod outcome;
pub(crate) mod packed;
mod places;
mod ports;
pub(crate) mod processes;
mod program;
mod request;
mod server;
mod setup;
pub(crate) mod socket;
pub(crate) mod wait;

pub(crate) use answer::Answer;
pub(crate) use connection::Connection;
pub(crate) use events::{Events, Frame};
pub(crate) use memory_group::MemoryGroup;
pub(crate) use outcome::Outcome;
pub(crate) use places::{abxd, abxd_version, checkout, is_root, scratch};
pub(crate) use ports::free_port;
pub(crate) use processes::Nap;
pub(crate) use program::Program;
pub(crate) use request::Request;
pub(crate) use server::Server;
pub(crate) use setup::{Setup, TOKEN};
pub(crate) use socket::Socket;
