//! Why a request was not handled, or not to the end: causes. What they look like to a client is for [`crate::answer`].

use std::sync::Arc;

use abxd_body::{BodyError, JsonError};
use abxd_plugins::{Denial, Fault, PluginError};
use abxd_policy::{Exhausted, Origin, Scope};

/// A request that a step refused, or whose handler gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// No credential, or none that is known.
    #[error("unauthorized")]
    Unauthorized,
    /// Two different values of `X-Access-Token`.
    #[error("the request carries two different access tokens")]
    AmbiguousCredentials,
    /// A page of another host, while the server has no tokens.
    #[error("a page of another host can't use a server without tokens")]
    CrossOrigin,
    /// The endpoint is off.
    #[error("the endpoint is disabled by {}", .0.rule)]
    Disabled(Origin),
    /// The caller lacks a scope.
    #[error("scope {scope} is missing")]
    MissingScope {
        /// The first scope that is missing.
        scope: Scope,
        /// Who is calling.
        identity: Arc<str>,
    },
    /// The rate or the concurrency limit is used up.
    #[error("{}", match .0 { Exhausted::Rate { .. } => "too many requests", Exhausted::Concurrency => "too many requests at the same time" })]
    Exhausted(Exhausted),
    /// A query parameter has two values.
    #[error("a query parameter is repeated")]
    DuplicateParameter,
    /// `Transfer-Encoding` on a request.
    #[error("a request body needs a Content-Length; transfer encodings are not served")]
    TransferEncoding,
    /// A coded body where it is taken as it comes.
    #[error("only the content encoding identity is accepted")]
    ContentEncoding,
    /// `Content-Length` is not a number, or two different ones.
    #[error("Content-Length is malformed")]
    BadLength,
    /// The body is longer than the limit.
    #[error("the request body is larger than {limit} bytes")]
    TooLarge {
        /// Bytes.
        limit: u64,
    },
    /// The client was too slow, or left.
    #[error(transparent)]
    Body(BodyError),
    /// The body is not a JSON object.
    #[error("the request body is not a JSON object: {0}")]
    Json(JsonError),
    /// What the client sent can't be kept aside.
    #[error("the request body could not be stored")]
    Interrupted,
    /// A guard said no.
    #[error("{}", .0.message)]
    Denied(Denial),
    /// The handler's own error.
    #[error("{}", .0.message)]
    Fault(Box<Fault>),
    /// The plugin broke down, ran out of time, or has no instance to serve the request.
    #[error(transparent)]
    Plugin(PluginError),
    /// The group has no component.
    #[error("{0}")]
    Absent(Arc<str>),
    /// The handler gave an answer that HTTP can't carry.
    #[error("the plugin's answer is malformed")]
    BadAnswer,
}
