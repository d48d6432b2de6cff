//! The path guard against its contract, on a real file system.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

mod oracle;
mod own;
mod protected;
mod reported;
mod table;
mod tree;
mod walk;
