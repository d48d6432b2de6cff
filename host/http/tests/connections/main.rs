//! The listener over real loopback sockets: what a client sees, byte for byte.

// The exception for tests doesn't reach their helper functions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod answers;
mod bodies;
mod capacity;
mod heads;
mod leaving;
mod rig;
mod shutdown;
mod time_limits;
mod upgrades;
