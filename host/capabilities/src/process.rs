//! Processes (`contract: process`): the one owner of every child that a request starts, for every group of endpoints.
//!
//! What is owned, by whom, and how it ends:
//!
//! * a **child** and its tree: its [`Child`]. Dropped while the child runs, the tree is ended. What a child that ended by
//!   itself has left behind lives on, and belongs to the supervisor;
//! * the **task** that reaps a child: nobody; it ends with the child;
//! * the **thread** that ends trees, the task that reaps orphans, pipes that only descendants hold: the [`Supervisor`].
//!   Its shutdown ends every descendant of the server's.
//!
//! Nothing here blocks the async runtime but for system calls that do not wait.
//!
//! | file | what it holds |
//! |---|---|
//! | `supervisor` | [`Supervisor`]: all that can be asked for |
//! | `launch`, `environment` | what is started |
//! | `account` | who it runs as |
//! | `start` | starting it |
//! | `child` | [`Child`]: waiting, signals, the end |
//! | `ledger` | which children are somebody's |
//! | `orphans` | reaping those that are nobody's |
//! | `tree` | finding and ending all that comes from a child |
//! | `output` | what children write |
//! | `run` | running to the end |
//! | `stream` | running line by line |
//! | `background` | processes that outlive their request |

mod account;
mod background;
mod child;
mod environment;
mod exit;
mod failure;
mod launch;
mod ledger;
mod orphans;
mod output;
mod run;
mod start;
mod stream;
mod supervisor;
mod tree;

pub use abxd_sys::spawn::User;
pub use account::{Account, AccountError};
pub use background::{Background, Event, Page, Place, Process, SignalFailure, StartOptions, WriteFailure};
pub use child::Child;
pub use environment::{Environment, EnvironmentFull, Variables};
pub use exit::Exit;
pub use failure::{RunFailure, StartFailure};
pub use launch::{ChildEnvironment, Directory, Input, Launch, Output, Stdio};
pub(crate) use output::Decoder;
pub use output::{Captured, CapturedText};
pub use run::{Finished, RunOptions};
pub use rustix::process::Signal;
pub use start::Spawned;
pub use stream::{LineEvent, LineStream, OutputStream};
pub use supervisor::{Settings, Supervisor};
