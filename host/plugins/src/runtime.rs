//! What all components of a server share.

use std::fmt;
use std::sync::Arc;

use wasmtime::Engine;

use crate::Machine;
use crate::instance::Turns;

/// The engine that runs components, the turns that they compute in, and the machine that they are lent. Cheap to copy.
#[derive(Clone)]
pub struct Runtime {
    /// The engine.
    pub engine: Engine,
    /// What the server owns of the machine. None where components are only looked at.
    pub machine: Option<Machine>,
    pub(crate) turns: Arc<Turns>,
}

impl fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Runtime").field("turns", &self.turns).finish_non_exhaustive()
    }
}

impl Runtime {
    /// Components of an engine, on an async runtime with so many workers.
    #[must_use]
    pub fn new(engine: Engine, workers: usize) -> Self {
        Self { engine, machine: None, turns: Arc::new(Turns::new(workers)) }
    }

    /// The same, with the machine.
    #[must_use]
    pub fn with(self, machine: Machine) -> Self {
        Self { machine: Some(machine), ..self }
    }
}
