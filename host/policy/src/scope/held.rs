//! The scopes an identity holds.

use std::collections::BTreeSet;

use super::{Scope, ScopeError};

/// What everyone holds without being given it.
const IMPLICIT: &str = "core:read";
const EVERYTHING: &str = "*";

/// A set of held scopes, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scopes {
    held: BTreeSet<Scope>,
}

impl Scopes {
    /// The empty set. `core:read` is still granted, as to everyone.
    pub fn none() -> Self {
        Self::default()
    }

    /// The set that holds `*`.
    pub fn everything() -> Self {
        Scope::parse(EVERYTHING).into_iter().collect()
    }

    /// Reads a comma list as `--scopes` of `check-config` gives it; the empty text means `*` (`contract: cli`).
    ///
    /// # Errors
    /// [`ScopeError`] for the first item that is no scope.
    pub fn parse_list(text: &str) -> Result<Self, ScopeError> {
        if text.trim().is_empty() {
            return Ok(Self::everything());
        }
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(Scope::parse).collect()
    }

    /// Whether `scope` is granted: `core:read` always, else by `*`, by the scope itself, or by `<namespace>:*`.
    pub fn grants(&self, scope: &Scope) -> bool {
        self.grants_named(scope.as_str())
    }

    /// The same for a text that need not be a scope: a command's author may ask for any.
    pub fn grants_named(&self, scope: &str) -> bool {
        let namespace = scope.split(':').next().unwrap_or_default();
        let covers = |held: &str| held == EVERYTHING || held == scope || held.strip_suffix(":*") == Some(namespace);
        scope == IMPLICIT || self.held.iter().any(|held| covers(held.as_str()))
    }

    /// The first of `scopes` that is not granted.
    pub fn first_missing<'a>(&self, scopes: &'a [Scope]) -> Option<&'a Scope> {
        scopes.iter().find(|scope| !self.grants(scope))
    }

    /// Whether the set contains `*` itself.
    pub fn holds_everything(&self) -> bool {
        self.held.iter().any(|held| held.as_str() == EVERYTHING)
    }

    /// The scopes in sorted order.
    pub fn iter(&self) -> impl Iterator<Item = &Scope> {
        self.held.iter()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self { held: scopes.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(text: &str) -> Scope {
        Scope::parse(text).expect("a scope")
    }

    #[test]
    fn grants() {
        let rows: &[(&str, &str, bool)] = &[
            ("*", "files:read", true),
            ("files:read", "files:read", true),
            ("files:*", "files:read", true),
            ("files:*", "files:a:b", true),
            ("files:*", "filesx:read", false),
            ("files:read", "files:write", false),
            ("files", "files:read", false),
            ("files:*", "files", true),
            ("x", "core:read", true),
            ("x", "core:write", false),
            ("files:*", "*", false),
        ];
        for &(held, asked, granted) in rows {
            let scopes = Scopes::parse_list(held).expect("scopes");
            assert_eq!(scopes.grants(&scope(asked)), granted, "{held} for {asked}");
        }
    }

    #[test]
    fn nothing_held_still_reads_the_core() {
        assert!(Scopes::none().grants(&scope("core:read")));
        assert!(!Scopes::none().grants(&scope("files:read")));
    }

    #[test]
    fn the_first_missing_one_is_named() {
        let held = Scopes::parse_list("files:write").expect("scopes");
        let asked = [scope("files:write"), scope("files:delete"), scope("x")];
        assert_eq!(held.first_missing(&asked), Some(&scope("files:delete")));
    }

    #[test]
    fn lists() {
        assert_eq!(Scopes::parse_list(""), Ok(Scopes::everything()));
        let list = Scopes::parse_list("b:c, a,,").expect("scopes");
        assert_eq!(list.iter().map(Scope::as_str).collect::<Vec<_>>(), ["a", "b:c"]);
        assert!(Scopes::parse_list("a,B").is_err());
    }
}
