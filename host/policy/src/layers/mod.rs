//! The layers that decide about endpoints: built-in switches, code, the preset, the document, the environment
//! (`contract: policy §5`).

mod assemble;
mod error;
mod fit;
mod inputs;
mod layer;
mod presets;

pub(crate) use assemble::assemble;
pub use error::ResolveError;
pub use inputs::{GROUPS_VARIABLE, GroupSwitch, Inputs};
pub(crate) use layer::{Layer, Rank, Source};
