//! The forms of a cleaned deny pattern and how each is matched.

use crate::glob::{Glob, GlobError};

/// A compiled form.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// `/`: everything.
    Everything,
    /// No `/`: a glob for one component.
    Component(Glob),
    /// Starts with `/`: a glob for whole paths.
    Absolute(Glob),
    /// Anything else: `inside` is the glob of `*/tail`, `whole` of `tail` alone, where that can match at all. A path
    /// starts with `/` and a tail does not, so it takes a wildcard at its start.
    Tail { inside: Glob, whole: Option<Glob> },
}

impl Form {
    /// `pattern` has been cleaned and is not empty.
    pub(super) fn compile(pattern: &str) -> Result<Self, GlobError> {
        if pattern == "/" {
            Ok(Self::Everything)
        } else if pattern.starts_with('/') {
            Glob::new(pattern).map(Self::Absolute)
        } else if pattern.contains('/') {
            let tail = pattern.strip_prefix("**/").unwrap_or(pattern);
            let whole = if tail.starts_with(['*', '?', '[']) { Some(Glob::new(tail)?) } else { None };
            Ok(Self::Tail { inside: Glob::new(&format!("*/{tail}"))?, whole })
        } else {
            Glob::new(pattern).map(Self::Component)
        }
    }

    /// Whether `path` or an ancestor matches.
    pub(super) fn matches(&self, path: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Component(glob) => components(path).any(|name| glob.is_match(name)),
            Self::Absolute(glob) if glob.is_literal() => is_at_or_below(path, glob.as_str()),
            Self::Absolute(_) | Self::Tail { .. } => lineage(path).any(|place| self.matches_entry(place)),
        }
    }

    /// Whether `path` itself matches.
    pub(super) fn matches_entry(&self, path: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Component(glob) => glob.is_match(last_component(path)),
            // The pattern's own text counts as a match even where its brackets would read as a set.
            Self::Absolute(glob) => path == glob.as_str() || glob.is_match(path),
            Self::Tail { inside, whole } => {
                inside.is_match(path) || whole.as_ref().is_some_and(|whole| whole.is_match(path))
            }
        }
    }
}

/// The components of an absolute path. The root counts as one empty component, so that `*` denies it too.
fn components(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

fn last_component(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The path, then its ancestors from the nearest up, the root left out unless it is the path itself.
fn lineage(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |place| {
        place.rsplit_once('/').map(|(parent, _)| parent).filter(|p| !p.is_empty())
    })
}

fn is_at_or_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
