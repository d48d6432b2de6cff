//! What the machine can do, each operation behind the guard that admits it: functions here take only values that the
//! guards have checked.
//!
//! This crate knows nothing of policy documents, of HTTP or of WebAssembly. Failures are causes; which status a cause
//! becomes is decided elsewhere.
#![forbid(unsafe_code)]

mod cancel;
pub mod code;
pub mod files;
pub mod git;
pub mod process;
pub mod system;
pub mod terminal;

pub use cancel::Cancel;
