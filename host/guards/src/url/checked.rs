//! A URL that passed the guard.

use std::net::IpAddr;

use super::address::AddressRule;

/// The schemes that the guard admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `http`
    Http,
    /// `https`
    Https,
    /// `ws`
    Ws,
    /// `wss`
    Wss,
}

impl Scheme {
    /// Reads a scheme in any case.
    pub(super) fn parse(text: &str) -> Option<Self> {
        [("http", Self::Http), ("https", Self::Https), ("ws", Self::Ws), ("wss", Self::Wss)]
            .into_iter()
            .find_map(|(name, scheme)| name.eq_ignore_ascii_case(text).then_some(scheme))
    }

    /// The port that a URL without one means.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http | Self::Ws => 80,
            Self::Https | Self::Wss => 443,
        }
    }

    /// Whether it is that of a page: `http` or `https`.
    pub(super) const fn is_page(self) -> bool {
        matches!(self, Self::Http | Self::Https)
    }
}

/// The host of a URL as a browser reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UrlHost {
    /// A name, in ASCII and lower case, a trailing dot included.
    Name(String),
    /// An address, whatever way it is written. A zone id is left out.
    Address(IpAddr),
}

/// A URL that passed [`super::UrlGuard::check`]. A name in it has yet to be resolved: whoever connects judges each
/// address by [`CheckedUrl::addresses`] and connects to one that passes.
#[derive(Clone, Debug)]
pub struct CheckedUrl {
    pub(super) text: String,
    pub(super) scheme: Scheme,
    pub(super) host: UrlHost,
    pub(super) port: u16,
    pub(super) addresses: AddressRule,
}

impl CheckedUrl {
    /// The URL as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its scheme.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Its host.
    #[must_use]
    pub const fn host(&self) -> &UrlHost {
        &self.host
    }

    /// Its port, never 0; the scheme's where it names none.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The rule for the addresses of its host.
    #[must_use]
    pub const fn addresses(&self) -> AddressRule {
        self.addresses
    }
}
