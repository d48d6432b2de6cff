//! Facts of the machine against their contract (`contract: system`).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

mod facts;
mod listeners;
