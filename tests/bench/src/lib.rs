//! Benchmarks: abxd against a native server of the same pipeline, and against the reference.
//!
//! | module | what it holds |
//! |---|---|
//! | [`load`] | the load generator, the same for all servers |
//! | [`servers`] | starting them, on the same files, and what the kernel says of them |
//! | [`figures`] | what is measured, and what is to be reached |
//! | [`report`] | the result as Markdown |
//!
//! The native server is a program of its own, `abxd-bench-native`.

pub mod figures;
pub mod load;
pub mod report;
pub mod servers;
