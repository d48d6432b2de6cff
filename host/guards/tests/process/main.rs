//! The process guard against its contract, on a real file system.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't set its stage has failed")]

mod search;
mod stage;
mod table;
