//! A URL taken apart as a browser does it.

use std::borrow::Cow;

use super::checked::{Scheme, UrlHost};
use super::denial::UrlDenial;
use super::host;

/// The parts of a URL that the guard judges.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// `None`: another scheme, or none at all.
    pub(super) scheme: Option<Scheme>,
    /// `None`: no authority, or no host in it. Not looked for behind other schemes.
    pub(super) host: Option<UrlHost>,
    /// The text behind the host's colon.
    port: Option<String>,
}

impl Reading {
    const NOTHING: Self = Self { scheme: None, host: None, port: None };

    /// Takes `text` apart.
    ///
    /// # Errors
    /// [`UrlDenial::Unreadable`] for an authority that is none.
    pub(super) fn of(text: &str) -> Result<Self, UrlDenial> {
        let text = as_read(text);
        let scheme = text.split_once(':').and_then(|(scheme, rest)| Some((Scheme::parse(scheme)?, rest)));
        let Some((scheme, rest)) = scheme else { return Ok(Self::NOTHING) };
        let scheme = Some(scheme);
        let Some(place) = authority(rest).map(behind_user).filter(|place| !place.is_empty()) else {
            return Ok(Self { scheme, ..Self::NOTHING });
        };
        let (host, port) = split_port(place)?;
        let host = if host.is_empty() { None } else { Some(host::parse(host)?) };
        Ok(Self { scheme, host, port: port.map(str::to_owned) })
    }

    /// The port that is named, or the scheme's.
    ///
    /// # Errors
    /// [`UrlDenial::Port`] when it is no number from 1 to 65535.
    pub(super) fn port(&self, scheme: Scheme) -> Result<u16, UrlDenial> {
        let Some(port) = self.port.as_deref().filter(|port| !port.is_empty()) else {
            return Ok(scheme.default_port());
        };
        if !port.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(UrlDenial::Port);
        }
        port.parse().ok().filter(|port| *port != 0).ok_or(UrlDenial::Port)
    }
}

/// The text without what browsers leave out: blanks and control characters around it, tabs and line breaks anywhere.
fn as_read(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(|letter| letter <= ' ');
    if text.contains(['\t', '\n', '\r']) { text.replace(['\t', '\n', '\r'], "").into() } else { text.into() }
}

/// What stands between two slashes and the next one, `?` or `#`. A `\` is a slash.
fn authority(rest: &str) -> Option<&str> {
    let slash = ['/', '\\'];
    rest.strip_prefix(slash)?.strip_prefix(slash)?.split(['/', '\\', '?', '#']).next()
}

/// The authority without user and password.
fn behind_user(authority: &str) -> &str {
    authority.rsplit_once('@').map_or(authority, |(_, place)| place)
}

/// Host and port; a host in brackets keeps them.
fn split_port(place: &str) -> Result<(&str, Option<&str>), UrlDenial> {
    if !place.starts_with('[') {
        return Ok(place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))));
    }
    let end = place.find(']').ok_or(UrlDenial::Unreadable)?;
    let (host, rest) = place.split_at_checked(end + 1).ok_or(UrlDenial::Unreadable)?;
    match rest.strip_prefix(':') {
        Some(port) => Ok((host, Some(port))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err(UrlDenial::Unreadable),
    }
}
