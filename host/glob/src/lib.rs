//! Globs and deny patterns of the contract (`contract: guards`, top and §1). Pure text: no file system, no policy.
//!
//! Two types are public: [`Glob`], the one glob syntax that every pattern of the project uses, and [`DenyPattern`],
//! the three forms of `paths.deny`. Both are immutable, `Send + Sync`, and cheap to clone.
#![forbid(unsafe_code)]

mod deny;
mod glob;
mod pattern;

pub use deny::{DenyPattern, DenyPatternError};
pub use glob::{Glob, GlobError};
pub use pattern::{has_wildcard, literal_prefix_len};
