//! The rules of the contract's globs, one by one (`contract: guards`, top), and what the type promises.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

use abxd_glob::{DenyPattern, Glob, GlobError, has_wildcard, literal_prefix_len};

fn check(rows: &[(&str, &str, bool)]) {
    for &(pattern, text, expected) in rows {
        let glob = Glob::new(pattern).expect("a short pattern");
        assert_eq!(glob.is_match(text), expected, "{pattern:?} on {text:?}");
    }
}

#[test]
fn wildcards_cross_slashes_dots_and_lines() {
    check(&[
        ("a*c", "a/b/c", true),
        ("a?c", "a/c", true),
        ("*", ".hidden", true),
        ("*", "", true),
        ("a*", "a\nb", true),
        ("a?b", "a\nb", true),
        ("**", "a/b", true),
        ("a/**/b", "a/b", false),
        ("a/**/b", "a//b", true),
    ]);
}

#[test]
fn one_letter_is_one_code_point() {
    check(&[("?", "é", true), ("??", "é", false), ("[é]", "é", true), ("[!a]", "日", true), ("*é", "xé", true)]);
}

#[test]
fn there_are_no_escapes_and_no_braces() {
    check(&[
        (r"\*", r"\x", true),
        (r"\*", "*", false),
        (r"a\", r"a\", true),
        ("{a,b}", "a", false),
        ("{a,b}*", "{a,b}c", true),
        ("a,b*", "a,bc", true),
    ]);
}

#[test]
fn matching_is_anchored_and_case_sensitive() {
    check(&[
        ("b", "abc", false),
        ("b*", "abc", false),
        ("A*", "abc", false),
        ("a*", "abc", true),
        ("a*\n", "ab", false),
    ]);
}

#[test]
fn sets() {
    check(&[
        ("[!x]", "a", true),
        ("[^x]", "^", true),
        ("[^x]", "a", false),
        ("[]]", "]", true),
        ("[c-a]", "b", false),
        ("[c-a]", "c", false),
        ("[!c-a]", "b", true),
        ("[", "[", true),
        ("[a", "[a", true),
        ("*[", "a[", true),
        ("[&&a]", "&", true),
        ("[a&&b]", "a", true),
        ("[[:alpha:]]", "b", false),
        ("[[:alpha:]]", "a]", true),
    ]);
}

#[test]
fn absurd_sizes_are_an_error() {
    let text = "a*".repeat(100_000);
    assert_eq!(Glob::new(&text), Err(GlobError::TooLarge { length: 200_000 }));
    assert!(Glob::new(&"a".repeat(200_000)).is_ok_and(|glob| glob.is_literal()));
    assert!(Glob::new(&"a*".repeat(8_000)).is_ok());
}

#[test]
fn selectors_are_told_apart_and_measured() {
    assert!(has_wildcard("files_*") && has_wildcard("a?") && has_wildcard("a["));
    assert!(!has_wildcard("files_list") && !has_wildcard("a]{}"));
    assert_eq!(literal_prefix_len("*_list"), 0);
    assert_eq!(literal_prefix_len("files_*x*"), 6);
    assert_eq!(literal_prefix_len("shel?"), 5);
    assert_eq!(literal_prefix_len("é*"), 1);
}

#[test]
fn compiled_patterns_are_shared_between_threads() {
    fn shareable<T: Send + Sync + Clone + 'static>() {}
    shareable::<Glob>();
    shareable::<DenyPattern>();
}
