//! The WebAssembly engine's settings: the one place where server and compiler agree on what compiled code looks like.
//!
//! The compiler writes an artefact with [`packaging_config`]; the server, built without a compiler, loads it into an
//! engine from [`open()`]. Both start from [`config()`]. A setting that only one of them makes is a component that does
//! not load, so none may be made elsewhere.
//!
//! What must not be here: tickers, linkers, loading. This crate owns no thread and no file.

mod config;
mod error;
mod fingerprint;
mod open;
mod pool;

pub use config::{ASYNC_STACK, MAX_WASM_STACK, config, packaging_config};
pub use error::EngineError;
pub use fingerprint::fingerprint;
pub use open::{Allocation, Opened, open};
pub use pool::{MAX_MEMORY, pooling};
