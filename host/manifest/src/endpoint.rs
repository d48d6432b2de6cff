use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::keys::COMMON_LIMITS;

/// How an endpoint is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
    /// `PUT`.
    Put,
    /// `DELETE`.
    Delete,
    /// A WebSocket on the terminal port, so not a method of the HTTP port.
    Ws,
}

impl Method {
    /// As `/capabilities` shows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
            Self::Ws => "WS",
        }
    }

    /// What the body is read as if the manifest does not say.
    pub(crate) const fn usual_body(self) -> Body {
        match self {
            Self::Post | Self::Put | Self::Delete => Body::Json,
            Self::Get | Self::Ws => Body::None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a call does to the paths that it names; the default of `op` in `POST /capabilities/check` (contract: policy §10).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Looks at them.
    #[default]
    Read,
    /// Makes or changes them.
    Write,
    /// Takes them away.
    Delete,
    /// Runs something in them.
    Exec,
}

impl Access {
    /// As the contract spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Exec => "exec",
        }
    }
}

/// What the host does with a request's body before the handler sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// Nothing: there is none to speak of.
    None,
    /// Reads it as one JSON object.
    Json,
    /// Hands it on as it comes.
    Unread,
}

/// One endpoint as its manifest declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndpointDecl {
    /// `[a-z][a-z0-9_]*`, unique on the whole server.
    pub id: String,
    /// How it is called.
    pub method: Method,
    /// Begins with `/`; a segment `{name}` is a parameter.
    pub path: String,
    /// One line for `/capabilities`.
    pub summary: String,
    /// What a caller must hold. May be empty.
    pub scopes: Vec<String>,
    /// Limits besides [`COMMON_LIMITS`].
    pub limits: Vec<String>,
    /// Parameters that a rule can set.
    pub params: Vec<String>,
    /// Whether it takes paths, so that a rule's `paths` means something.
    pub paths: bool,
    /// What it does to those paths.
    pub access: Access,
    /// Whether it can make the machine run code of the caller's choice.
    pub exec: bool,
    /// Whether its answer has no end of its own.
    pub streaming: bool,
    /// Whether a caller must say who it is. False for `health` alone.
    pub auth: bool,
    /// Not served on the HTTP port.
    pub is_virtual: bool,
    /// Request headers that the handler gets, lower-case.
    pub headers: Vec<String>,
    /// What is done with the body.
    pub body: Body,
    /// Whether a body with a `Content-Encoding` other than `identity` is refused, before its length is judged.
    pub uncoded: bool,
    /// The top-level JSON member that is set aside as an upload if it is a string.
    pub aside: Option<String>,
    /// Top-level JSON members, and what half a character in them (an escaped surrogate without its other half) is called:
    /// one of [`MALFORMED`](crate::MALFORMED). Elsewhere it makes the body malformed.
    pub halves: BTreeMap<String, String>,
}

impl EndpointDecl {
    /// All limits that a rule can set: the common ones first.
    pub fn all_limits(&self) -> impl Iterator<Item = &str> {
        COMMON_LIMITS.into_iter().chain(self.limits.iter().map(String::as_str))
    }
}
