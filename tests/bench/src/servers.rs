//! The servers that are measured, as child processes on ports of the loopback address.

mod ask;
mod bed;
mod facts;
mod places;
mod reference;
mod server;
mod start;
mod subject;
mod tree;

use std::io;
use std::path::PathBuf;

pub use bed::{Bed, FILES, Listing};
pub use facts::{Memory, cpu, memory};
pub use places::Places;
pub use reference::{Reference, VERSION};
pub use server::Server;
pub use start::Starter;
pub use subject::Subject;
pub use tree::Tree;

/// Why there is no server to measure.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// A file or a folder.
    #[error("{path}: {source}")]
    Files {
        /// Which.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// A program that does not run, or does not do what it should.
    #[error("{program}: {detail}")]
    Program {
        /// Which.
        program: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// A server that does not answer.
    #[error("{subject} did not answer within {seconds} s; the end of its log:\n{log}")]
    Silent {
        /// Which.
        subject: Subject,
        /// How long it had.
        seconds: u64,
        /// What it wrote last.
        log: String,
    },
    /// A figure of the process that the kernel doesn't give.
    #[error("the kernel does not tell {what} of process {pid}")]
    Untold {
        /// Which figure.
        what: &'static str,
        /// The process.
        pid: u32,
    },
}

impl ServerError {
    /// The error of a file operation.
    pub(crate) fn files(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Files { path, source }
    }
}
