//! Terminals against their contract (`contract: terminal`), with real shells.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that can't set its stage has failed"
)]

mod clients;
mod ending;
mod input;
mod rig;
mod sessions;
mod signals;
