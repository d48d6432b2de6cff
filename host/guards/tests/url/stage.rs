//! Rules and a resolver for the tables.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use abxd_glob::Glob;
use abxd_guards::url::{AddressRule, Resolver, UrlDenial, UrlGuard, UrlRule};

/// Knows a few names and no others.
pub(crate) struct Names;

impl Resolver for Names {
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let found: &[&str] = match name {
            "public.test" => &["93.184.216.34", "2606:2800:220:1::1"],
            "private.test" => &["10.1.2.3"],
            "mixed.test" => &["93.184.216.34", "fd00::1"],
            "shared.test" => &["100.64.0.1"],
            "localhost" => &["127.0.0.1"],
            "empty.test" => &[],
            _ => return Err(io::ErrorKind::NotFound.into()),
        };
        Ok(found.iter().map(|address| address.parse().unwrap()).collect())
    }
}

fn globs(texts: &[&str]) -> Vec<Glob> {
    texts.iter().map(|text| Glob::new(text).unwrap()).collect()
}

pub(crate) fn guard(allow: Option<&[&str]>, deny: &[&str], block_private_networks: bool) -> UrlGuard {
    let addresses = AddressRule { block_private_networks };
    UrlGuard::new(UrlRule { allow: allow.map(globs), deny: globs(deny), addresses }, Arc::new(Names))
}

/// A guard with no parameter set.
pub(crate) fn free() -> UrlGuard {
    guard(None, &[], false)
}

/// A guard that blocks private networks and does nothing else.
pub(crate) fn public_only() -> UrlGuard {
    guard(None, &[], true)
}

pub(crate) const PASSES: Result<(), &str> = Ok(());
pub(crate) const INVALID: Result<(), &str> = Err("url_invalid");
pub(crate) const DENIED: Result<(), &str> = Err("url_denied");

#[track_caller]
pub(crate) fn expect(guard: &UrlGuard, urls: &[&str], expected: Result<(), &str>) {
    for url in urls {
        assert_eq!(guard.check(url).map(drop).map_err(UrlDenial::code), expected, "{url:?}");
    }
}
