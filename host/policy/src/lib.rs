//! The policy of the server: which endpoints are on, for whom, and within which limits (`contract: policy`).
//!
//! A [`Document`] is read from text, a [`Catalog`] built from manifests, and both resolved to a [`PolicySet`] of one
//! [`Rule`] for each endpoint. [`Identities`] finds the caller of a request, [`Rule::admit`] judges it, and a
//! [`Limiter`] counts it.
//!
//! Everything here is pure. Documents come in as text, the time as an argument, variables through a closure; nothing
//! reads a file, a clock or the environment, and nothing knows of HTTP or WebAssembly.
#![forbid(unsafe_code)]

mod access;
mod admission;
mod catalog;
mod document;
mod hints;
mod identity;
mod layers;
mod limiter;
mod limits;
mod lint;
mod params;
mod resolve;
mod rule;
mod scope;
mod selector;
mod source;

pub use access::Access;
pub use admission::Refusal;
pub use catalog::{BUILT_IN_GROUPS, CORE, Catalog, CatalogError, EndpointFacts, GroupFacts};
pub use document::{BudgetSection, Document, DocumentError, PluginSection, Preset, Problem, TOKEN_VARIABLE};
pub use identity::{ANONYMOUS, AuthError, Credentials, Identities, Identity, IdentityError};
pub use layers::{GROUPS_VARIABLE, GroupSwitch, Inputs, ResolveError};
pub use limiter::{Exhausted, Limiter, Slot};
pub use limits::{LimitKey, LimitKeys, Limits, SizeError, parse_size};
pub use lint::lint;
pub use params::{ParamKey, ParamKeys, Params, extension_of};
pub use resolve::{GroupState, PolicySet};
pub use rule::{AuditMode, Origin, PathSettings, Rule, Symlinks};
pub use scope::{Scope, ScopeError, Scopes};
pub use source::{Place, SourceError, Syntax};
