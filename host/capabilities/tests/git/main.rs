//! Git against its contract (`contract: dev_tools`, decision D39), with the git that is installed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

mod boundary;
mod diff;
mod kinds;
mod planted;
mod rig;
mod settings;
mod status;
mod turns;
