//! The pattern table of `contract: guards §1`, row by row, and the two ways of asking.

use proptest::prelude::*;

use super::*;

fn pattern(text: &str) -> DenyPattern {
    DenyPattern::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

#[test]
fn the_pattern_table() {
    let rows: &[(&str, &str, bool)] = &[
        ("*.pem", "/a/b.pem", true),
        ("*.pem", "/a/x.pem/y", true),
        (".env", "/a/.env", true),
        (".env", "/a/.env.local", false),
        ("**/.env", "/a/.env", true),
        ("**/.env", "/.env", true),
        ("**/.env", "/a/.env/b", true),
        ("**/.env", "/a/x.env", false),
        ("**/.env.*", "/a/.env.prod", true),
        ("/srv/secret", "/srv/secret/x", true),
        ("/srv/secret", "/srv/secret", true),
        ("/srv/secret", "/srv/secrets", false),
        ("/srv/secret/", "/srv/secret/x", true),
        ("/srv/secret/", "/srv/secrets", false),
        ("/srv/*", "/srv/a", true),
        ("/srv/*", "/srv", false),
        ("secret", "/a/secret/x", true),
        ("secret/", "/a/secret/x", true),
        ("a/b", "/x/a/b/c", true),
        ("a/b", "/xa/b", false),
        ("a/b", "/a/b", true),
        ("*.PEM", "/a/b.pem", false),
        ("/", "/", true),
        ("/", "/a/b", true),
        ("/a//b", "/a/b/c", true),
        ("/a/../b", "/b", true),
        ("./a", "/x/a", true),
        ("/home/*/.ssh", "/home/a/b/.ssh", true),
        ("/home/*/.ssh", "/home/a/.ssh/id", true),
        ("**/id_rsa*", "/home/u/.ssh/id_rsa.pub", true),
        ("**/.ssh", "/home/u/.ssh", true),
        ("/proc", "/process/x", false),
        ("/a[b]", "/a[b]/c", true),
        ("/a[b]", "/ab", true),
        ("?", "/é/x", true),
        ("?", "/", false),
    ];
    for &(text, path, denied) in rows {
        assert_eq!(pattern(text).matches(path), denied, "{text} on {path}");
    }
}

#[test]
fn stars_alone_deny_everything() {
    for text in ["*", "**", "/**", "**/", "/"] {
        for path in ["/", "/a", "/a/b.c", "/.x"] {
            assert!(pattern(text).matches(path), "{text} on {path}");
        }
    }
}

#[test]
fn what_is_refused() {
    for text in ["", ".", "./", "a/.."] {
        assert_eq!(DenyPattern::parse(text), Err(DenyPatternError::Empty), "{text}");
    }
    assert_eq!(DenyPattern::parse("a\0b"), Err(DenyPatternError::Nul));
}

#[test]
fn the_written_and_the_cleaned_text_are_kept() {
    let pattern = pattern("/a/../b/");
    assert_eq!(pattern.as_written(), "/a/../b/");
    assert_eq!(pattern.cleaned(), "/b");
}

#[test]
fn leftover_dots_are_unreachable() {
    assert!(pattern("*/../x").is_unreachable());
    assert!(!pattern("/a/../x").is_unreachable());
    assert!(!pattern("..x").is_unreachable());
}

proptest! {
    /// A path is denied exactly when it or one of its ancestors is denied as an entry; only the root, an ancestor of
    /// every path, is never asked on another's behalf.
    #[test]
    fn entry_by_entry_is_the_same_as_at_once(
        text in "(/|\\*\\*/)?[ab.*]{1,3}(/[ab*]{1,3}){0,2}",
        names in proptest::collection::vec("[ab.]{1,3}", 1..4),
    ) {
        prop_assume!(!names.iter().any(|name| name == "." || name == ".."));
        if let Ok(pattern) = DenyPattern::parse(&text) {
            let mut path = String::new();
            let mut denied = false;
            for name in &names {
                path = format!("{path}/{name}");
                denied = denied || pattern.matches_entry(&path);
            }
            prop_assert_eq!(pattern.matches(&path), denied, "{} on {}", text, path);
        }
    }
}
