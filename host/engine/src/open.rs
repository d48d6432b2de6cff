use wasmtime::Engine;

use crate::{EngineError, config, pooling};

/// Where instances get their memory and stacks from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allocation {
    /// From a pool that was set aside at start.
    Pooling {
        /// Component instances at once.
        slots: u32,
    },
    /// From the system, one by one: slower, and without a bound of its own on their number.
    OnDemand {
        /// Why there is no pool; for the log.
        reason: String,
    },
}

/// An engine that loads what the compiler wrote.
#[derive(Debug)]
pub struct Opened {
    /// The engine.
    pub engine: Engine,
    /// How it allocates.
    pub allocation: Allocation,
}

/// Start an engine with a pool of `slots` component instances, or without a pool where the address space for one can't
/// be had (each slot reserves more than 4 GiB of it; `ulimit -v` and small machines say no).
///
/// # Errors
/// [`EngineError::Start`] if it does not start without a pool either.
pub fn open(slots: u32) -> Result<Opened, EngineError> {
    let slots = slots.max(1);
    let mut pooled = config();
    pooling(&mut pooled, slots);
    let reason = match Engine::new(&pooled) {
        Ok(engine) => return Ok(Opened { engine, allocation: Allocation::Pooling { slots } }),
        Err(error) => format!("{error:#}"),
    };
    match Engine::new(&config()) {
        Ok(engine) => Ok(Opened { engine, allocation: Allocation::OnDemand { reason } }),
        Err(error) => Err(EngineError::Start { detail: format!("{error:#}") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_taken_where_there_is_room() {
        let opened = open(8).unwrap();
        assert_eq!(opened.allocation, Allocation::Pooling { slots: 8 });
    }

    #[test]
    fn no_room_for_a_pool_is_no_reason_to_stop() {
        // 2^32 - 1 slots of more than 4 GiB each are more than any address space holds.
        let opened = open(u32::MAX).unwrap();
        assert!(matches!(opened.allocation, Allocation::OnDemand { reason } if !reason.is_empty()));
    }
}
