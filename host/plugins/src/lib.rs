//! The plugin runtime: WebAssembly components that serve endpoint groups.
//!
//! | folder | what it holds |
//! |---|---|
//! | `bindings` | the WIT interfaces as Rust types, generated |
//! | [`package`] | a third party's component as a file |
//! | [`compile`] | compiling one in a limited child |
//! | [`component`] | loading a component and linking what its grant lists |
//! | [`instance`] | the pool of a group's instances, their leases and limits |
//! | [`commands`] | what can be called by name |
//! | [`exchange`] | what goes into a call and comes out of it |
//! | `imports` | the host's side of every import: guard, then capability |
//! | [`plugin`] | one loaded group |
//! | `runtime` | what all groups share |
//! | `machine` | what the server owns of the machine |
//!
//! The crate knows nothing of HTTP's routing, and of policy only the rule it is handed with a call.
//!
//! What belongs to one call (endpoint, identity, rule, the caller's body) stands in the store of the instance that
//! serves it from the moment a lease is entered to the end of the call. A component can't name or change it.

#[allow(missing_docs, reason = "generated from the WIT files, whose comments are the documentation")]
mod bindings;
pub mod commands;
pub mod compile;
pub mod component;
pub mod exchange;
mod imports;
pub mod instance;
mod machine;
pub mod package;
pub mod plugin;
mod runtime;

pub use abxd_sys::component::{MapError, map};
pub use commands::Commands;
pub use compile::{Cache, CompileError, Compiler};
pub use component::{Grant, LoadError};
pub use exchange::{
    Answer, AnswerBody, BrokenOff, Call, Client, Denial, Endpoint, Event, EventStream, Fault, InBody, Outcome, Problem,
    ProgramGuards, Request, Segment, Source, Trail, Upload,
};
pub use machine::Machine;
pub use package::{Package, PackageError};
pub use plugin::{Plugin, PluginError};
pub use runtime::Runtime;
