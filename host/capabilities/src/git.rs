//! What git knows of a working tree (`contract: dev_tools`), without anything that the repository, its configuration or
//! its attributes name being run (decision D39).
//!
//! Git would run a great many things that stand in a repository: hooks, monitors, filters, drivers, pagers, transports,
//! itself in submodules. They are not switched off one by one. The run that looks at the working tree never hears of
//! them:
//!
//! 0. What these would read first is looked at (`approach`).
//! 1. Two runs that read configuration, and do nothing else, tell where the repository is and how it is set up
//!    (`repository`, `settings`).
//! 2. A folder of the host's own stands in for the part of the repository that names things (`stage`, git's
//!    `GIT_COMMON_DIR`). Objects and refs in it are links to the repository's; its configuration is written anew from a list
//!    of settings that name nothing; hooks, attributes and alternates are not in it.
//! 3. The run itself (`status`, `diff`) reads that configuration and no other, takes attributes from the empty tree, no
//!    locks, and stays out of submodules.
//!
//! No run has a variable that a request has set: its environment is a few of the server's start, and its own (`run`).
//!
//! What it reads is the repository's own: links among the parts of a repository are refused (`parts`), and the kernel
//! lets the run open nothing but the working tree, the repository and the stage, where it can (`bounds`).
//!
//! So a repository that changes between the steps can change what is shown of it, and never what is run or read. What is
//! shown passes the path guard name by name, as it comes.
//!
//! Owners: a run owns its child, a thread that reads what it writes, and the stage; all end with it, at the latest
//! after its time is up, or when nobody waits for it any more. The call and its threads hold a turn (`stages`), so that
//! git never has all threads that may block.

mod approach;
mod bounds;
mod diff;
mod discovery;
mod failure;
mod look;
mod names;
mod numstat;
mod output;
mod parts;
mod patch;
mod records;
mod repository;
mod run;
mod settings;
mod shown;
mod stage;
mod stages;
mod status;

use std::sync::Arc;
use std::time::Duration;

use abxd_guards::process::ProcessGuard;

use crate::process::Supervisor;

pub use diff::{DiffOptions, Patch, Pathspec};
pub use failure::GitFailure;
pub use stages::Stages;
pub use status::{Change, WorkingTree};

/// Longest time that a call may take (`contract: dev_tools`).
const TIMEOUT: Duration = Duration::from_secs(30);

/// The program git, and what it is run with.
#[derive(Clone, Debug)]
pub struct Git {
    supervisor: Supervisor,
    programs: Arc<ProcessGuard>,
    stages: Stages,
}

impl Git {
    /// Git as `programs` finds it.
    #[must_use]
    pub const fn new(supervisor: Supervisor, programs: Arc<ProcessGuard>, stages: Stages) -> Self {
        Self { supervisor, programs, stages }
    }
}
