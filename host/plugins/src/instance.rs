//! Instances of a component: their pool, leases and limits.
//!
//! Owners: a [`Pool`] owns its idle instances; a [`Lease`] owns the instance that serves a call and the slot it
//! occupies; the [`Ticker`] owns the thread that advances the engine's epoch. All end with their owner.

mod lease;
mod limiter;
mod memory;
mod output;
mod pool;
mod quota;
mod settings;
mod state;
mod ticker;
mod turns;
mod waits;

pub use lease::Lease;
pub use pool::{Pool, PoolError};
pub use settings::Settings;
pub(crate) use state::State;
pub use ticker::Ticker;
pub use turns::Turns;
pub(crate) use waits::within;
