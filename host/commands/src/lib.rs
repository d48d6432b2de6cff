//! Commands: named, with typed arguments, registered by the operator before the server serves (`contract: commands`).
//!
//! | file | what it holds |
//! |---|---|
//! | [`argument`], [`value`] | what a command takes, and what it is given |
//! | [`registry`] | commands by name, in order |
//! | [`target`] | what runs when one is called |
//! | [`source`] | what `--commands` can name |
//! | [`mod@load`] | all of it, in order |
//! | [`declared`] | commands that a file declares: programs with arguments |
//! | [`python`] | commands that Python files register: one interpreter, and its owner |
//!
//! This crate knows nothing of HTTP, WebAssembly, policy documents or identities: scopes are texts, and whether a caller may
//! call is judged before [`target::Target::call`].

pub mod argument;
pub mod declared;
pub mod load;
pub mod python;
pub mod registry;
pub mod source;
pub mod target;
pub mod value;

pub use argument::{Argument, ArgumentError, Kind};
pub use load::{LoadError, Loaded, load};
pub use registry::{Command, Registry};
pub use source::{Order, Source};
pub use target::{CallFailure, Host, Returned, Target};
pub use value::{Unfit, Value, Values};
