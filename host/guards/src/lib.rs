//! The guards: what a request names goes in, a *checked* value that only the guard can build comes out. The
//! capabilities take nothing else, so an operation that forgot its guard does not compile.
//!
//! This crate knows nothing of HTTP, of WebAssembly or of endpoints. Everything here blocks; callers run it on a
//! thread that may block. It starts no thread and keeps no process-wide state: descriptors belong to the values that
//! hold them and close with them.
#![forbid(unsafe_code)]

pub mod command;
pub mod environment;
pub mod extension;
pub mod file;
pub mod path;
pub mod process;
pub mod url;

mod beneath;
mod kernel_trees;

pub use beneath::Opener;
