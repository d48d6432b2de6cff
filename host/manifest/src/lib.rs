//! What a group of endpoints says of itself.
//!
//! A manifest is written as `plugin.toml`, packed as JSON into the component's custom section [`section::NAME`], and
//! read from there when the component is loaded. Reading checks: a [`Manifest`] that exists is well formed. Whether
//! it is true (the interfaces it names, the routes of other groups) is for whoever loads it.
//!
//! What must not be here: files, components beyond their section headers, HTTP.

mod budget;
mod check;
mod command;
mod document;
mod endpoint;
mod error;
mod keys;
mod manifest;
mod names;
mod place;
pub mod section;

pub use budget::{Budget, BudgetDecl};
pub use command::{ArgumentDecl, ArgumentKind, CommandDecl};
pub use endpoint::{Access, Body, EndpointDecl, Method};
pub use error::{Fault, ManifestError};
pub use keys::{COMMON_LIMITS, LIMITS, MALFORMED, PARAMS};
pub use manifest::{MAX_BYTES, Manifest};
pub use place::Place;
