//! The load generator: one HTTP/1.1 client that all servers are measured with.
//!
//! It runs on the thread that calls it and owns its connections, which end with the call. Connections are kept alive
//! where the server does so; one that closes after each answer (the reference, which speaks HTTP/1.0) gets a new one for
//! each request, which is then part of what is measured.

mod connection;
mod drive;
mod events;
mod first;
mod head;
mod request;
mod steady;
mod tally;
mod terminal;

use std::io;
use std::net::SocketAddr;

pub use connection::{Answer, Connection, Pace};
pub use drive::{Load, Until, drive};
pub use events::Events;
pub use first::{Begun, begin};
pub use request::{Payload, Request};
pub use steady::{Beat, Steady, steady};
pub use tally::Tally;
pub use terminal::Terminal;

/// Why a load could not be carried through. A run that meets one has no figures.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The connection could not be made, or broke.
    #[error("{address}: {source}")]
    Broken {
        /// The server.
        address: SocketAddr,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The answer is not what the workload expects.
    #[error("{target}: status {status} in place of {expected}")]
    Status {
        /// Path and query of the request.
        target: String,
        /// What came.
        status: u16,
        /// What should have come.
        expected: u16,
    },
    /// The answer's head can't be read.
    #[error("{target}: the head of the answer {defect}")]
    Head {
        /// Path and query of the request.
        target: String,
        /// What is wrong with it.
        defect: &'static str,
    },
    /// A task of the generator broke down.
    #[error("the load generator broke down: {0}")]
    Task(#[from] tokio::task::JoinError),
}
