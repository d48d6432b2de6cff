//! Commands against their contract (`contract: commands`), with a real interpreter and real programs.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

mod calls;
mod declared;
mod ends;
mod loading;
mod results;
mod rig;
