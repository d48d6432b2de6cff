//! What documents mean: one program, so that all of it is linked once.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that can't set its stage has failed"
)]

mod arbitrary_documents;
mod capabilities;
mod fit;
mod grammar;
mod identity;
mod limiter;
mod lint;
mod resolution_oracle;
mod resolution_table;
mod revision;
mod support;
