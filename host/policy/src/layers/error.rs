//! Policies that do not fit the table of endpoints.

use thiserror::Error;

use super::GROUPS_VARIABLE;
use crate::document::{DocumentError, Preset, did_you_mean};
use crate::source::Place;

/// Why a policy cannot be resolved against a catalog.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResolveError {
    /// A selector names no endpoint.
    #[error("{place}: endpoints: unknown endpoint `{selector}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownEndpoint {
        /// Where.
        place: Place,
        /// The selector.
        selector: String,
        /// An endpoint whose id looks like it.
        suggestion: Option<String>,
    },
    /// The document names no known group, under `groups` or in a selector `group:…`.
    #[error("{place}: {section}: unknown group `{group}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownGroup {
        /// Where.
        place: Place,
        /// `groups` or `endpoints`.
        section: &'static str,
        /// The name.
        group: String,
        /// A group whose name looks like it.
        suggestion: Option<String>,
    },
    /// The rule of a single endpoint sets what that endpoint does not have.
    #[error("{place}: endpoints.{endpoint}: `{key}` does not apply to this endpoint{}", accepted(.accepts))]
    NotApplicable {
        /// Where the rule stands.
        place: Place,
        /// The endpoint.
        endpoint: String,
        /// The key: `paths`, `limits.max_bytes`, `params.overwrite`, …
        key: String,
        /// The keys that do apply in its place.
        accepts: Vec<&'static str>,
    },
    /// The environment names no known group.
    #[error("{GROUPS_VARIABLE}: unknown group `{group}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownEnabledGroup {
        /// The name.
        group: String,
        /// A group whose name looks like it.
        suggestion: Option<String>,
    },
    /// A commands file switches no known group.
    #[error("a commands file switches the unknown group `{group}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownCodeGroup {
        /// The name.
        group: String,
        /// A group whose name looks like it.
        suggestion: Option<String>,
    },
    /// A built-in preset is no valid document, which is a fault of abxd.
    #[error("the preset `{preset}` is broken: {error}")]
    Preset {
        /// The preset.
        preset: Preset,
        /// What is wrong with it.
        error: DocumentError,
    },
    /// A commands file turns `core` off.
    #[error("a commands file disables the group `core`, which cannot be switched off")]
    CodeDisablesCore,
}

fn accepted(keys: &[&str]) -> String {
    if keys.is_empty() { String::new() } else { format!(" (it accepts {})", keys.join(", ")) }
}
