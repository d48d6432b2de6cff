//! Processes against their contract (`contract: process`), with real children.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

mod background;
mod child;
mod rig;
mod run;
mod shutdown;
mod stream;
