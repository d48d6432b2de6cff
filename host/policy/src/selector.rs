//! Selectors: what a rule is for (`contract: policy §4`).

use abxd_glob::{Glob, GlobError, has_wildcard, literal_prefix_len};

use crate::catalog::EndpointFacts;

/// The literal selector of everything.
const DEFAULTS: &str = "@defaults";
const GROUP_PREFIX: &str = "group:";

/// How specific a selector is; the order is that of resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Defaults,
    Group,
    Glob,
    Exact,
}

/// A parsed selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Selector {
    Defaults,
    Group(String),
    Glob(Glob),
    Exact(String),
}

impl Selector {
    /// Reads the key of an `endpoints` entry. Whether group or endpoint exist is not looked at.
    pub(crate) fn parse(text: &str) -> Result<Self, GlobError> {
        Ok(if text == DEFAULTS {
            Self::Defaults
        } else if let Some(group) = text.strip_prefix(GROUP_PREFIX) {
            Self::Group(group.to_owned())
        } else if has_wildcard(text) {
            Self::Glob(Glob::new(text)?)
        } else {
            Self::Exact(text.to_owned())
        })
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Defaults => Kind::Defaults,
            Self::Group(_) => Kind::Group,
            Self::Glob(_) => Kind::Glob,
            Self::Exact(_) => Kind::Exact,
        }
    }

    pub(crate) fn selects(&self, endpoint: &EndpointFacts) -> bool {
        match self {
            Self::Defaults => true,
            Self::Group(group) => *group == endpoint.group,
            Self::Glob(glob) => glob.is_match(&endpoint.id),
            Self::Exact(id) => **id == *endpoint.id,
        }
    }

    /// The third sorting key of resolution. It tells globs apart only: selectors of another kind that select one
    /// endpoint are equal.
    pub(crate) fn specificity(&self) -> usize {
        match self {
            Self::Glob(glob) => literal_prefix_len(glob.as_str()),
            Self::Defaults | Self::Group(_) | Self::Exact(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let rows = [
            ("@defaults", Kind::Defaults),
            ("group:process", Kind::Group),
            ("group:*", Kind::Group),
            ("group:", Kind::Group),
            ("files_*", Kind::Glob),
            ("shel?", Kind::Glob),
            ("[a-c]x", Kind::Glob),
            ("shell", Kind::Exact),
            ("", Kind::Exact),
            ("GET /custom/{x}", Kind::Exact),
            ("@default", Kind::Exact),
        ];
        for (text, kind) in rows {
            assert_eq!(Selector::parse(text).map(|selector| selector.kind()), Ok(kind), "{text}");
        }
    }
}
