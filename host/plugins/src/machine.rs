//! What the server owns of the machine and lends to its components.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use abxd_capabilities::process::Supervisor;
use abxd_capabilities::system::Python;

/// What there is once for the whole server, whatever is reloaded. Cheap to copy; whoever serves made it and ends it.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The one owner of all children.
    pub supervisor: Supervisor,
    /// Which Python there is, once somebody has asked.
    pub python: Arc<Python>,
    /// When the server started.
    pub started: Instant,
    /// A folder whose content children may read, and nobody else can reach.
    pub scratch: Arc<Path>,
}

impl Machine {
    /// The machine of a server that starts now.
    #[must_use]
    pub fn new(supervisor: Supervisor, scratch: Arc<Path>) -> Self {
        Self { supervisor, python: Arc::default(), started: Instant::now(), scratch }
    }
}
