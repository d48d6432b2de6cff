//! What the server owns of the machine and lends to its components.

use abxd_capabilities::process::Supervisor;

/// What there is once for the whole server, whatever is reloaded. Cheap to copy; whoever serves made it and ends it.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The one owner of all children.
    pub supervisor: Supervisor,
}
