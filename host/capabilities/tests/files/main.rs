//! File operations against their contract (`contract: file_ops`), on a real file system.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

mod archive;
mod attack;
mod filesystems;
mod list;
mod look;
mod make_dir;
mod permissions;
mod remove;
mod rename;
mod save;
mod search;
mod tree;
mod watch;
