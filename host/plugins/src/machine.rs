//! What the server owns of the machine and lends to its components.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::time::Instant;

use abxd_browser::Browser;
use abxd_capabilities::git::Stages;
use abxd_capabilities::process::Supervisor;
use abxd_capabilities::system::Python;
use abxd_capabilities::terminal::{self, Terminals};

/// What there is once for the whole server, whatever is reloaded. Cheap to copy; whoever serves made it and ends it.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The one owner of all children.
    pub supervisor: Supervisor,
    /// The browser, which starts with the first call that needs a page.
    pub browser: Browser,
    /// Which Python there is, once somebody has asked.
    pub python: Arc<Python>,
    /// When the server started.
    pub started: Instant,
    /// Where git is run.
    pub stages: Stages,
    /// The terminals of all callers.
    pub terminals: Terminals,
    /// The port of the terminals' socket: the one that is really in use, as soon as it is known.
    pub terminal_port: Arc<AtomicU16>,
}

impl Machine {
    /// The machine of a server that starts now, and means to offer terminals on a port. What `scratch` holds children may
    /// read, and nobody else can reach.
    #[must_use]
    pub fn new(supervisor: Supervisor, browser: Browser, scratch: Arc<Path>, terminal_port: u16) -> Self {
        Self {
            terminals: Terminals::new(supervisor.clone(), terminal::IDLE),
            terminal_port: Arc::new(AtomicU16::new(terminal_port)),
            supervisor,
            browser,
            python: Arc::default(),
            started: Instant::now(),
            stages: Stages::new(scratch),
        }
    }
}
