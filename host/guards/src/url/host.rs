//! The host of a URL.

use std::borrow::Cow;
use std::net::IpAddr;

use ::url::Host;

use super::checked::UrlHost;
use super::denial::UrlDenial;

/// Reads a host as browsers do, and zone ids besides.
///
/// # Errors
/// [`UrlDenial::Unreadable`] for one that browsers refuse, or that has nothing but dots in it.
pub(super) fn parse(text: &str) -> Result<UrlHost, UrlDenial> {
    let host = Host::parse(&without_zone(text)?).map_err(|_| UrlDenial::Unreadable)?;
    Ok(match host {
        Host::Domain(name) if name.bytes().all(|letter| letter == b'.') => return Err(UrlDenial::Unreadable),
        Host::Domain(name) => UrlHost::Name(name),
        Host::Ipv4(address) => UrlHost::Address(address.into()),
        Host::Ipv6(address) => UrlHost::Address(address.into()),
    })
}

/// The address that a name becomes when its trailing dots are cut off: browsers take one such dot for nothing, and
/// other programs all of them.
pub(super) fn hidden_address(name: &str) -> Option<IpAddr> {
    match Host::parse(name.trim_end_matches('.')) {
        Ok(Host::Ipv4(address)) => Some(address.into()),
        _ => None,
    }
}

/// Whether a name means this machine (`localhost` and everything below it).
pub(super) fn is_local(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

/// `[fe80::1%25eth0]`, or with a bare `%`, as `[fe80::1]`.
fn without_zone(host: &str) -> Result<Cow<'_, str>, UrlDenial> {
    match host.split_once('%').filter(|_| host.starts_with('[')) {
        None => Ok(host.into()),
        Some((_, "]" | "25]")) => Err(UrlDenial::Unreadable),
        Some((address, _)) => Ok(format!("{address}]").into()),
    }
}
