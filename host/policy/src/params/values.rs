//! The parameters that a rule sets.

use std::collections::BTreeMap;

use abxd_command::CommandPattern;
use abxd_glob::Glob;
use serde_json::Value;

use super::{ParamKey, ParamKeys, extension_of};

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ParamValue {
    Flag(bool),
    Texts(Vec<String>),
    Numbers(Vec<i64>),
    Globs(Vec<Glob>),
    Commands(Vec<CommandPattern>),
}

impl ParamValue {
    /// The value as the document has it.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Flag(flag) => (*flag).into(),
            Self::Texts(texts) => texts.as_slice().into(),
            Self::Numbers(numbers) => numbers.as_slice().into(),
            Self::Globs(globs) => globs.iter().map(Glob::as_str).collect(),
            Self::Commands(patterns) => patterns.iter().map(CommandPattern::as_str).collect(),
        }
    }

    /// An empty list of the same kind.
    fn emptied(&self) -> Self {
        match self {
            Self::Flag(flag) => Self::Flag(*flag),
            Self::Texts(_) => Self::Texts(Vec::new()),
            Self::Numbers(_) => Self::Numbers(Vec::new()),
            Self::Globs(_) => Self::Globs(Vec::new()),
            Self::Commands(_) => Self::Commands(Vec::new()),
        }
    }

    /// Adds the entries of `later` that are not there yet. The two are values of one key, so of one kind.
    fn add(&mut self, later: &Self) {
        match (self, later) {
            (Self::Texts(entries), Self::Texts(more)) => add_new(entries, more),
            (Self::Globs(entries), Self::Globs(more)) => add_new(entries, more),
            (Self::Commands(entries), Self::Commands(more)) => add_new(entries, more),
            (value, later) => *value = later.clone(),
        }
    }
}

/// Appends what `entries` does not hold yet, each once, in order.
pub(crate) fn add_new<T: Clone + PartialEq>(entries: &mut Vec<T>, more: &[T]) {
    for entry in more {
        if !entries.contains(entry) {
            entries.push(entry.clone());
        }
    }
}

/// The parameters of a rule, only those that some layer set.
///
/// An empty list of `allow_extensions`, `allow_commands`, `allow_vars` or `url_allow` restricts nothing, as if unset;
/// an empty list of `allowed_signals`, `shells` or `languages` admits nothing (`contract: policy §2`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params {
    values: BTreeMap<ParamKey, ParamValue>,
}

impl Params {
    /// Whether an upload may replace a file; true unless set otherwise.
    pub fn overwrite(&self) -> bool {
        self.flag(ParamKey::Overwrite).unwrap_or(true)
    }

    /// Whether an upload may have this file name, judged by its extension: not on the deny list, and on the allow
    /// list if there is one.
    pub fn admits_extension(&self, file_name: &str) -> bool {
        let extension = extension_of(file_name);
        let lists = |entries: &[String]| entries.iter().any(|entry| entry.to_lowercase() == extension);
        let denied = self.texts(ParamKey::DenyExtensions).is_some_and(lists);
        let allowed = self.texts(ParamKey::AllowExtensions).filter(|entries| !entries.is_empty()).is_none_or(lists);
        !denied && allowed
    }

    /// Patterns of commands that may run; `None` when every command may.
    pub fn allow_commands(&self) -> Option<&[CommandPattern]> {
        self.commands(ParamKey::AllowCommands).filter(|patterns| !patterns.is_empty())
    }

    /// Patterns of commands that may not run.
    pub fn deny_commands(&self) -> &[CommandPattern] {
        self.commands(ParamKey::DenyCommands).unwrap_or_default()
    }

    /// Signals that may be sent; `None` when the rule does not say.
    pub fn allowed_signals(&self) -> Option<&[i64]> {
        match self.values.get(&ParamKey::AllowedSignals)? {
            ParamValue::Numbers(signals) => Some(signals),
            _ => None,
        }
    }

    /// Shells that a terminal may start; `None` when the rule does not say.
    pub fn shells(&self) -> Option<&[String]> {
        self.texts(ParamKey::Shells)
    }

    /// Exact names of environment variables that a terminal does not get.
    pub fn env_deny(&self) -> &[String] {
        self.texts(ParamKey::EnvDeny).unwrap_or_default()
    }

    /// Globs of environment variables that may be seen and set; `None` when all may.
    pub fn allow_vars(&self) -> Option<&[Glob]> {
        self.globs(ParamKey::AllowVars).filter(|globs| !globs.is_empty())
    }

    /// Globs of environment variables that may not be seen or set.
    pub fn deny_vars(&self) -> &[Glob] {
        self.globs(ParamKey::DenyVars).unwrap_or_default()
    }

    /// Languages of code runs; `None` when the rule does not say.
    pub fn languages(&self) -> Option<&[String]> {
        self.texts(ParamKey::Languages)
    }

    /// Globs of URLs that may be visited; `None` when all may.
    pub fn url_allow(&self) -> Option<&[Glob]> {
        self.globs(ParamKey::UrlAllow).filter(|globs| !globs.is_empty())
    }

    /// Globs of URLs that may not be visited.
    pub fn url_deny(&self) -> &[Glob] {
        self.globs(ParamKey::UrlDeny).unwrap_or_default()
    }

    /// Whether addresses of private networks are refused; false unless set.
    pub fn block_private_networks(&self) -> bool {
        self.flag(ParamKey::BlockPrivateNetworks).unwrap_or(false)
    }

    /// Whether no layer set a parameter.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The keys that are set.
    pub fn keys(&self) -> impl Iterator<Item = ParamKey> {
        self.values.keys().copied()
    }

    /// The object of `GET /capabilities`: what is set, as written (`contract: policy §9`).
    pub fn to_json(&self) -> serde_json::Map<String, Value> {
        self.values.iter().map(|(key, value)| (key.as_str().to_owned(), value.to_json())).collect()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (ParamKey, &ParamValue)> {
        self.values.iter().map(|(&key, value)| (key, value))
    }

    pub(crate) fn set(&mut self, key: ParamKey, value: ParamValue) {
        self.values.insert(key, value);
    }

    /// Takes over what `later` sets and an endpoint accepts: deny lists grow, everything else is replaced.
    pub(crate) fn overlay(&mut self, later: &Self, accepted: ParamKeys) {
        for (&key, value) in later.values.iter().filter(|&(&key, _)| accepted.contains(key)) {
            if key.is_union() {
                // A list may repeat itself, so the first one is added to an empty one too.
                self.values.entry(key).or_insert_with(|| value.emptied()).add(value);
            } else {
                self.values.insert(key, value.clone());
            }
        }
    }

    fn flag(&self, key: ParamKey) -> Option<bool> {
        match self.values.get(&key)? {
            ParamValue::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    fn texts(&self, key: ParamKey) -> Option<&[String]> {
        match self.values.get(&key)? {
            ParamValue::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    fn globs(&self, key: ParamKey) -> Option<&[Glob]> {
        match self.values.get(&key)? {
            ParamValue::Globs(globs) => Some(globs),
            _ => None,
        }
    }

    fn commands(&self, key: ParamKey) -> Option<&[CommandPattern]> {
        match self.values.get(&key)? {
            ParamValue::Commands(patterns) => Some(patterns),
            _ => None,
        }
    }
}
