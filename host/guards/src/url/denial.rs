//! Causes of refusal. No message says what a name resolves to.

use thiserror::Error;

/// Why the guard refuses a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UrlDenial {
    /// The authority or the host in it can't be read.
    #[error("the URL can't be read")]
    Unreadable,
    /// A blank, a control character or DEL in it.
    #[error("the URL contains a blank or a control character")]
    Character,
    /// Neither http nor https.
    #[error("the URL must be http or https")]
    Scheme,
    /// No host.
    #[error("the URL has no host")]
    NoHost,
    /// The port is no number from 1 to 65535.
    #[error("the URL's port is invalid")]
    Port,
    /// The rule restricts URLs, and this one is not http or https, or has no host.
    #[error("only http and https URLs with a host are allowed")]
    NotWeb,
    /// A pattern of the deny list matches.
    #[error("the URL is denied")]
    Denied,
    /// No pattern of the allow list matches.
    #[error("the URL is not one of those allowed")]
    NotAllowed,
    /// The host is this machine by name.
    #[error("the URL leads to this machine")]
    Local,
    /// The address is this machine's, a private network's or otherwise out of bounds.
    #[error("the URL leads to an address that is denied")]
    Address,
}

impl UrlDenial {
    /// The contract's machine code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unreadable | Self::Character | Self::Scheme | Self::NoHost | Self::Port => "url_invalid",
            Self::NotWeb | Self::Denied | Self::NotAllowed | Self::Local | Self::Address => "url_denied",
        }
    }
}
