//! Terminals: shells on pseudo-terminals that outlive their clients (contract: terminal).
//!
//! | file | what it holds |
//! |---|---|
//! | `terminals` | the table of sessions: who may see which, how many there may be, their end |
//! | `session` | one of them |
//! | `pump` | its task: reads the terminal, writes what is typed, tells of the end |
//! | `pty` | the pair of devices |
//! | `output`, `scrollback` | what was put out, and how far each client has come |
//! | `input` | what is to be typed |
//! | `attachment` | one client |
//!
//! A session owns its shell (a child of the supervisor's, ended with all that came from it), the master, and one task. The
//! task ends when the shell has ended and all its output has been read; the master closes with it. [`Terminals`] owns the
//! sessions and the tasks, and ends all of them in [`Terminals::shutdown`]. A client owns nothing but its place.
//!
//! Bounds: ten sessions; of each 1 MiB and one read of output, 1 MiB of input; clients as many as there are sockets.

mod attachment;
mod input;
mod output;
mod pty;
mod pump;
mod scrollback;
mod session;
mod terminals;

pub use attachment::Attachment;
pub use output::Shown;
pub use pty::Size;
pub use session::Terminal;
pub use terminals::{Caller, IDLE, MOST, OpenFailure, Terminals};
