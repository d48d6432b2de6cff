//! Scopes: what an endpoint asks for and what an identity holds (`contract: policy §2`, `contract: pipeline §6`).

mod held;
mod syntax;

pub use held::Scopes;
pub use syntax::{Scope, ScopeError};
