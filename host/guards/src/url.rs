//! The URL guard (`contract: guards §5`).
//!
//! [`UrlGuard::check`] turns the text of a request into a [`CheckedUrl`]; [`AddressRule::judge`] judges an address that
//! is about to be connected to (D61 of the decisions). What is judged is the host as a browser reads it.
//!
//! How much of that the `url` crate does: its host parser is the WHATWG one (percent escapes, IDNA's mapping of
//! full-width and other compatibility forms, IPv4 in all its spellings, IPv6), so hosts go through it. Taking the text
//! apart is done here, for three reasons: the contract tells no scheme, no host and a bad port apart, which one parse
//! error does not; it wants the zone ids of IPv6 read, which WHATWG refuses; and it refuses what WHATWG repairs
//! (`http:host`, `http:///host`, blanks and line breaks). What passes is never read differently by the crate: a
//! property test compares the two.

mod address;
mod checked;
mod denial;
mod guard;
mod host;
mod reading;
mod resolver;
mod rule;

pub use address::AddressRule;
pub use checked::{CheckedUrl, Scheme, UrlHost};
pub use denial::UrlDenial;
pub use guard::UrlGuard;
pub use resolver::{Resolver, SystemResolver};
pub use rule::UrlRule;
