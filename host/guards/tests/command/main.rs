//! The command guard against its contract.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't set its stage has failed")]

mod paths;
mod table;
#[path = "../path/tree.rs"]
mod tree;
