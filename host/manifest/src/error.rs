use thiserror::Error;

use crate::endpoint::Method;
use crate::keys::{COMMON_LIMITS, LIMITS, MALFORMED, PARAMS};
use crate::manifest::MAX_BYTES;
use crate::place::Place;

/// Why there is no manifest. One line each, for the operator.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// Longer than [`MAX_BYTES`].
    #[error("{file}: a manifest of {bytes} bytes; at most {MAX_BYTES} are read")]
    TooLarge {
        /// The file.
        file: String,
        /// Its length.
        bytes: usize,
    },
    /// Not TOML or JSON, a key that does not exist or is not there, or a value of another type.
    #[error("{file}, line {line}: {detail}")]
    Unreadable {
        /// The file.
        file: String,
        /// Counted from 1.
        line: usize,
        /// The parser's words, which name what was expected.
        detail: String,
    },
    /// A value that can't be.
    #[error("{file}: {place}: {fault}")]
    Wrong {
        /// The file.
        file: String,
        /// The key.
        place: Place,
        /// What is wrong, and what would be right.
        fault: Box<Fault>,
    },
    /// It does not become JSON.
    #[error("the manifest can't be written: {source}")]
    Unwritable {
        /// The writer's reason.
        source: serde_json::Error,
    },
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Fault {
    /// A group, an endpoint id or a `{name}` that is no name.
    #[error("{0:?} is no name: a lower-case letter, then lower-case letters, digits and _")]
    Name(String),
    /// Not a version.
    #[error("{0:?} is no version: three numbers with dots, such as 1.0.0")]
    Version(String),
    /// Not the name of an interface.
    #[error("{0:?} is no interface: its name without package and version, such as files")]
    Interface(String),
    /// Text that must say something, on one line.
    #[error("must be one line of text")]
    Blank,
    /// An endpoint that is not of the manifest, or not on the HTTP port.
    #[error("{0:?} is no endpoint of this manifest that a command could run under")]
    Endpoint(String),
    /// The default of a list is none.
    #[error("the default of {0:?} is the JSON text of a list of strings")]
    Default(String),
    /// Nothing is declared.
    #[error("there is none; a group has at least one")]
    NoEndpoint,
    /// Listed before.
    #[error("{0:?} is there twice; once is enough")]
    Repeated(String),
    /// Another endpoint has the id.
    #[error("{0:?} is the id of an earlier endpoint; ids are unique")]
    TakenId(String),
    /// Another endpoint answers there.
    #[error(
        "{method} {path:?} is served by {by:?} already; method and path are unique, whatever parameters are called"
    )]
    TakenRoute {
        /// The method.
        method: Method,
        /// The path as written.
        path: String,
        /// Id of the earlier endpoint.
        by: String,
    },
    /// A path that can't be asked for.
    #[error(
        "{0:?} is no path: it begins with / and its segments, none empty, are {{name}} or letters, digits and -._~"
    )]
    Path(String),
    /// A WebSocket on the HTTP port.
    #[error("WS is for endpoints with virtual = true")]
    SocketNotVirtual,
    /// Not in [`LIMITS`].
    #[error("{0:?} is no limit; there are {list}", list = LIMITS.join(", "))]
    Limit(String),
    /// In [`COMMON_LIMITS`].
    #[error("{0:?} is a limit of every endpoint; leave out {list}", list = COMMON_LIMITS.join(", "))]
    CommonLimit(String),
    /// Not in [`PARAMS`].
    #[error("{0:?} is no parameter; there are {list}", list = PARAMS.join(", "))]
    Param(String),
    /// Not a scope.
    #[error("{0:?} is no scope: such as files:read, files:* or *, lower-case")]
    Scope(String),
    /// Not the name of a header.
    #[error("{0:?} is no header name in lower case, such as content-type")]
    Header(String),
    /// A number that no component can get.
    #[error("{value} is out of bounds: {least} to {most}")]
    OutOfBounds {
        /// The number.
        value: String,
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// A header that carries credentials.
    #[error("{0:?} carries credentials, which no component gets")]
    SecretHeader(String),
    /// `uncoded` or `halves` without a body.
    #[error("says how the body is taken, and the endpoint has none")]
    WithoutBody,
    /// Not in [`MALFORMED`].
    #[error("{0:?} says nothing of a value; there are {list}", list = MALFORMED.join(", "))]
    Malformed(String),
    /// `aside` without a JSON body.
    #[error("only a JSON body has a member to set aside; body is not \"json\"")]
    AsideWithoutJson,
    /// `access` without paths.
    #[error("says what is done to paths, and the endpoint has none; set paths = true")]
    AccessWithoutPaths,
    /// `auth = false` elsewhere than on `health`.
    #[error("every endpoint but health asks who is calling; leave it out")]
    Anyone,
}
