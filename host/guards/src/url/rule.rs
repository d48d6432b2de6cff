//! What a URL guard is built from.

use abxd_glob::Glob;

use super::address::AddressRule;

/// The URL parameters of an endpoint's rule.
#[derive(Clone, Debug, Default)]
pub struct UrlRule {
    /// Patterns one of which has to match the URL's text; `None` or empty: every URL that `deny` does not match.
    pub allow: Option<Vec<Glob>>,
    /// Patterns none of which may match the URL's text.
    pub deny: Vec<Glob>,
    /// Whether more than the addresses that are always denied are out of bounds, for names too.
    pub addresses: AddressRule,
}

impl UrlRule {
    /// The allow list, if there is anything in it.
    pub(super) fn allow_list(&self) -> Option<&[Glob]> {
        self.allow.as_deref().filter(|allow| !allow.is_empty())
    }

    /// Whether stage A applies: any of the parameters is set.
    pub(super) fn restricts(&self) -> bool {
        self.allow_list().is_some() || !self.deny.is_empty() || self.addresses.block_private_networks
    }
}
