//! Processes in the background (`contract: process §4 to §8`): one table for the whole server.
//!
//! The table owns its processes: those that run, at most 100, and those that have ended, the last 256 for an hour. It is
//! behind a lock that is held to look things up. Each process has one task that reads what it writes and enters its end;
//! it ends when the child has ended and its pipes have. When an ended process leaves the table while descendants hold its
//! pipes, the pipes go to those that are read for nobody.
//!
//! | file | what it holds |
//! |---|---|
//! | `table` | [`Background`]: starting, finding, listing |
//! | `entry` | one process: signals, its task |
//! | `input` | writing to it |
//! | `log` | what it has written |
//! | `ring` | how that is kept |

mod entry;
mod input;
mod log;
mod ring;
mod table;

use std::sync::Arc;
use std::time::SystemTime;

use rustix::io::Errno;
use thiserror::Error;

use super::exit::Exit;
use super::stream::OutputStream;

pub use table::{Background, Place};

/// How a process is started in the background.
#[derive(Clone, Debug)]
pub struct StartOptions {
    /// What lists and details call it: the text of the request.
    pub label: String,
    /// Keep what it writes: so many bytes of text, the newest. At most 64 MiB.
    pub capture: Option<u64>,
    /// Give it a pipe to read from.
    pub stdin: bool,
}

/// A process as it is at one moment.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// What it was started as.
    pub label: Arc<str>,
    /// When.
    pub started_at: SystemTime,
    /// How it ended, if it has.
    pub exit: Option<Exit>,
    /// Whether what it writes is kept.
    pub is_captured: bool,
    /// Whether it was given a pipe to read from, which no write has closed.
    pub has_stdin: bool,
}

/// One read of what a process wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number, from 0 on, over both outputs.
    pub seq: u64,
    /// Where it was written.
    pub stream: OutputStream,
    /// Decoded (D32).
    pub text: Arc<str>,
}

/// What a process has written from some event on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// In order; those that are still kept.
    pub events: Vec<Event>,
    /// Number of the next event to come.
    pub next: u64,
    /// How the process ended, if it has. Everything that it wrote itself is there then.
    pub exit: Option<Exit>,
    /// Whether any event was discarded for space, ever.
    pub dropped: bool,
}

/// Why no signal was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SignalFailure {
    /// There is no such process, or it has ended.
    #[error("no such process")]
    Missing,
    /// The operating system refused.
    #[error("{0}")]
    Os(#[from] Errno),
}

/// Why not everything was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WriteFailure {
    /// There is no such process.
    #[error("no such process")]
    Missing,
    /// It was started without an input, or that was closed by an earlier write.
    #[error("the process has no open input")]
    Closed,
    /// It has ended, or closed its input; so many bytes had been written.
    #[error("the process does not read its input any more")]
    Broken(u64),
    /// It has read nothing for too long; so many bytes have been written.
    #[error("the process does not read its input")]
    Stalled(u64),
}
