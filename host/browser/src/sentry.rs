//! The URL guard while pages run (`contract: browser`, URL guard; D61).
//!
//! Whatever leaves the browser is judged here twice: by its URL when the browser holds the request back (`Fetch`), and by
//! the address when the proxy is about to connect. Names are looked up once for both, and an address is judged whenever it
//! is about to be used, so a name that changes its mind in between gains nothing.
//!
//! Owns the rule in force, a few look-ups and the memory of what was refused lately. No tasks.

mod names;
mod refusals;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use abxd_guards::url::{AddressRule, CheckedUrl, Resolver, UrlDenial, UrlGuard, UrlHost, UrlRule};
use arc_swap::ArcSwap;
use tokio::time::Instant;

use names::Names;
use refusals::Refusals;

/// Schemes that never reach the network.
const INNER: [&str; 3] = ["about:", "data:", "blob:"];

/// Judges what the browser asks for.
pub(crate) struct Sentry {
    /// Judges without looking names up: that is done here.
    guard: ArcSwap<UrlGuard>,
    names: Names,
    refusals: Refusals,
}

/// Why there is no way to a host.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoWay {
    /// The guard said no.
    Denied(UrlDenial),
    /// The name has no address.
    Unknown,
}

impl Sentry {
    /// A sentry with a rule. Names are looked up by `resolver`, on threads that may block.
    pub(crate) fn new(rule: UrlRule, resolver: Arc<dyn Resolver>) -> Self {
        Self { guard: ArcSwap::from_pointee(guard(rule)), names: Names::new(resolver), refusals: Refusals::default() }
    }

    /// Another rule from now on.
    pub(crate) fn set_rule(&self, rule: UrlRule) {
        self.guard.store(Arc::new(guard(rule)));
    }

    /// Judges the address of a page or frame: stages A and B, and the addresses of its name.
    ///
    /// # Errors
    /// The refusal. A name without an address passes: it can't be connected to either.
    pub(crate) async fn judge_page(&self, url: &str) -> Result<(), UrlDenial> {
        if is_inner(url) {
            return Ok(());
        }
        let checked = self.guard.load_full().check(url)?;
        let UrlHost::Name(name) = checked.host() else { return Ok(()) };
        match self.names.look_up(name).await {
            Ok(found) => passing(&found, checked.addresses()).map(drop),
            Err(_) => Ok(()),
        }
    }

    /// Judges what a page asks for besides, as far as that can be done without looking a name up: the proxy does the rest.
    ///
    /// # Errors
    /// The refusal.
    pub(crate) fn judge_request(&self, url: &str) -> Result<(), UrlDenial> {
        if is_inner(url) { Ok(()) } else { self.guard.load().check_request(url).map(drop) }
    }

    /// Where to connect to for a URL: its host's addresses as far as the rule lets them pass. A refusal is remembered.
    ///
    /// # Errors
    /// See [`NoWay`].
    pub(crate) async fn way(&self, url: &str) -> Result<Vec<SocketAddr>, NoWay> {
        let checked = self.guard.load_full().check_request(url).map_err(NoWay::Denied)?;
        let found = match checked.host() {
            UrlHost::Address(address) => vec![*address],
            UrlHost::Name(name) => self.names.look_up(name).await.map_err(|_| NoWay::Unknown)?,
        };
        let passing = passing(&found, checked.addresses()).map_err(|denial| {
            self.refusals.note(place(&checked));
            NoWay::Denied(denial)
        })?;
        Ok(passing.into_iter().map(|address| SocketAddr::new(address, checked.port())).collect())
    }

    /// Whether a connection for this URL has been refused since then.
    pub(crate) fn has_refused(&self, url: &str, since: Instant) -> bool {
        match self.guard.load().check_request(url) {
            Ok(checked) => self.refusals.has(&place(&checked), since),
            Err(_) => true,
        }
    }
}

impl std::fmt::Debug for Sentry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Sentry").finish_non_exhaustive()
    }
}

/// Finds nothing: names are looked up by the sentry itself.
struct Unresolved;

impl Resolver for Unresolved {
    fn addresses(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

fn guard(rule: UrlRule) -> UrlGuard {
    UrlGuard::new(rule, Arc::new(Unresolved))
}

fn is_inner(url: &str) -> bool {
    INNER.iter().any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// The addresses that pass. With `block_private_networks` one that does not is enough to refuse the name, as where the
/// URL of a request is judged.
fn passing(found: &[IpAddr], rule: AddressRule) -> Result<Vec<IpAddr>, UrlDenial> {
    let (passing, refused): (Vec<_>, Vec<_>) = found.iter().partition(|address| rule.judge(**address).is_ok());
    match refused.is_empty() || !(passing.is_empty() || rule.block_private_networks) {
        true => Ok(passing),
        false => Err(UrlDenial::Address),
    }
}

/// Host and port.
fn place(checked: &CheckedUrl) -> (UrlHost, u16) {
    (checked.host().clone(), checked.port())
}

#[cfg(test)]
mod tests;
