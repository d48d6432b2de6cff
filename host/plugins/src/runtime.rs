//! What all components of a server share.

use std::fmt;
use std::sync::Arc;

use wasmtime::Engine;

use crate::instance::Turns;

/// The engine that runs components, and the turns that they compute in. Cheap to copy.
#[derive(Clone)]
pub struct Runtime {
    /// The engine.
    pub engine: Engine,
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
        Self { engine, turns: Arc::new(Turns::new(workers)) }
    }
}
