//! The guard of one rule: judging a URL.

use std::sync::Arc;

use super::checked::{CheckedUrl, Scheme, UrlHost};
use super::denial::UrlDenial;
use super::host;
use super::reading::Reading;
use super::resolver::Resolver;
use super::rule::UrlRule;

/// The URL guard of one rule. Built once, shared, and free of state.
#[derive(Clone)]
pub struct UrlGuard {
    rule: UrlRule,
    resolver: Arc<dyn Resolver>,
}

impl std::fmt::Debug for UrlGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UrlGuard").field("rule", &self.rule).finish_non_exhaustive()
    }
}

impl UrlGuard {
    /// The guard of `rule`. `resolver` is asked only where the rule blocks private networks.
    #[must_use]
    pub const fn new(rule: UrlRule, resolver: Arc<dyn Resolver>) -> Self {
        Self { rule, resolver }
    }

    /// Judges the URL of a page or frame (stages A and B). May block on the resolver.
    ///
    /// # Errors
    /// The first check that refuses, in the contract's order.
    pub fn check(&self, text: &str) -> Result<CheckedUrl, UrlDenial> {
        let reading = Reading::of(text)?;
        let scheme = reading.scheme.filter(|scheme| scheme.is_page());
        if self.rule.restricts() {
            self.restrict(text, scheme.and(reading.host.as_ref()).ok_or(UrlDenial::NotWeb)?)?;
        }
        self.admit(text, scheme, reading)
    }

    /// Judges the URL of what a page asks for besides: images, scripts, `fetch`, WebSockets (`contract: browser`, URL
    /// guard). The patterns don't count, `ws` and `wss` are admitted. May block on the resolver.
    ///
    /// # Errors
    /// As [`UrlGuard::check`].
    pub fn check_request(&self, text: &str) -> Result<CheckedUrl, UrlDenial> {
        let reading = Reading::of(text)?;
        if let Some(host) = &reading.host {
            self.block_private(host)?;
        }
        self.admit(text, reading.scheme, reading)
    }

    /// Stage A behind its first two checks.
    fn restrict(&self, text: &str, host: &UrlHost) -> Result<(), UrlDenial> {
        if self.rule.deny.iter().any(|glob| glob.is_match(text)) {
            return Err(UrlDenial::Denied);
        }
        if self.rule.allow_list().is_some_and(|allow| !allow.iter().any(|glob| glob.is_match(text))) {
            return Err(UrlDenial::NotAllowed);
        }
        self.block_private(host)
    }

    fn block_private(&self, host: &UrlHost) -> Result<(), UrlDenial> {
        let rule = self.rule.addresses;
        if !rule.block_private_networks {
            return Ok(());
        }
        match host {
            UrlHost::Address(address) => rule.judge(*address),
            UrlHost::Name(name) => match host::hidden_address(name) {
                Some(address) => rule.judge(address),
                // A name that can't be resolved passes here; it is judged again when it is connected to.
                None => self.resolver.addresses(name).unwrap_or_default().into_iter().try_for_each(|it| rule.judge(it)),
            },
        }
    }

    /// Stage B.
    fn admit(&self, text: &str, scheme: Option<Scheme>, reading: Reading) -> Result<CheckedUrl, UrlDenial> {
        if text.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
            return Err(UrlDenial::Character);
        }
        let scheme = scheme.ok_or(UrlDenial::Scheme)?;
        let port = reading.port(scheme)?;
        let host = reading.host.ok_or(UrlDenial::NoHost)?;
        let addresses = self.rule.addresses;
        match &host {
            UrlHost::Address(address) => addresses.judge(*address)?,
            UrlHost::Name(name) if host::is_local(name) => return Err(UrlDenial::Local),
            UrlHost::Name(name) => host::hidden_address(name).map_or(Ok(()), |address| addresses.judge(address))?,
        }
        Ok(CheckedUrl { text: text.to_owned(), scheme, host, port, addresses })
    }
}
