//! The keys of a `params` object.

use std::fmt;

/// A parameter that a rule can set (`contract: policy §2`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParamKey {
    /// Whether an upload may replace a file.
    Overwrite,
    /// Extensions that an upload may have.
    AllowExtensions,
    /// Extensions that an upload may not have.
    DenyExtensions,
    /// Patterns of commands that may run.
    AllowCommands,
    /// Patterns of commands that may not.
    DenyCommands,
    /// Signals that may be sent.
    AllowedSignals,
    /// Shells that a terminal may start.
    Shells,
    /// Environment variables kept from a terminal.
    EnvDeny,
    /// Globs of environment variables that may be seen and set.
    AllowVars,
    /// Globs of those that may not.
    DenyVars,
    /// Languages of code runs.
    Languages,
    /// Globs of URLs that may be visited.
    UrlAllow,
    /// Globs of those that may not.
    UrlDeny,
    /// Whether addresses of private networks are refused.
    BlockPrivateNetworks,
}

/// How a parameter is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParamKind {
    Flag,
    Texts,
    Numbers,
    Globs,
    Commands,
}

impl ParamKey {
    /// Every key, in the contract's order.
    pub const ALL: [Self; 14] = [
        Self::Overwrite,
        Self::AllowExtensions,
        Self::DenyExtensions,
        Self::AllowCommands,
        Self::DenyCommands,
        Self::AllowedSignals,
        Self::Shells,
        Self::EnvDeny,
        Self::AllowVars,
        Self::DenyVars,
        Self::Languages,
        Self::UrlAllow,
        Self::UrlDeny,
        Self::BlockPrivateNetworks,
    ];

    /// The key of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.as_str() == name)
    }

    /// The name in documents and manifests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Overwrite => "overwrite",
            Self::AllowExtensions => "allow_extensions",
            Self::DenyExtensions => "deny_extensions",
            Self::AllowCommands => "allow_commands",
            Self::DenyCommands => "deny_commands",
            Self::AllowedSignals => "allowed_signals",
            Self::Shells => "shells",
            Self::EnvDeny => "env_deny",
            Self::AllowVars => "allow_vars",
            Self::DenyVars => "deny_vars",
            Self::Languages => "languages",
            Self::UrlAllow => "url_allow",
            Self::UrlDeny => "url_deny",
            Self::BlockPrivateNetworks => "block_private_networks",
        }
    }

    pub(crate) fn kind(self) -> ParamKind {
        match self {
            Self::Overwrite | Self::BlockPrivateNetworks => ParamKind::Flag,
            Self::AllowedSignals => ParamKind::Numbers,
            Self::AllowCommands | Self::DenyCommands => ParamKind::Commands,
            Self::AllowVars | Self::DenyVars | Self::UrlAllow | Self::UrlDeny => ParamKind::Globs,
            Self::AllowExtensions | Self::DenyExtensions | Self::Shells | Self::EnvDeny | Self::Languages => {
                ParamKind::Texts
            }
        }
    }

    /// Whether layers add to the list instead of replacing it: everything that denies.
    pub(crate) fn is_union(self) -> bool {
        matches!(self, Self::DenyExtensions | Self::DenyCommands | Self::EnvDeny | Self::DenyVars | Self::UrlDeny)
    }

    fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for ParamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of parameter keys: what an endpoint accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParamKeys(u16);

impl ParamKeys {
    /// Whether the set holds `key`.
    pub fn contains(self, key: ParamKey) -> bool {
        self.0 & key.bit() != 0
    }

    /// The keys in the contract's order.
    pub fn iter(self) -> impl Iterator<Item = ParamKey> {
        ParamKey::ALL.into_iter().filter(move |&key| self.contains(key))
    }
}

impl FromIterator<ParamKey> for ParamKeys {
    fn from_iter<I: IntoIterator<Item = ParamKey>>(keys: I) -> Self {
        Self(keys.into_iter().fold(0, |bits, key| bits | key.bit()))
    }
}
