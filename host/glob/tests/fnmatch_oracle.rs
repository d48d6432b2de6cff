//! [`Glob`] against a slow, obvious reading of the contract's glob definition (`contract: guards`, top).
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

use abxd_glob::{Glob, has_wildcard};
use proptest::prelude::*;

/// Matches by trying every possibility, straight from the definition.
fn matches(pattern: &[char], text: &[char]) -> bool {
    let Some((&first, rest)) = pattern.split_first() else { return text.is_empty() };
    match first {
        '*' => (0..=text.len()).any(|taken| matches(rest, &text[taken..])),
        '?' => !text.is_empty() && matches(rest, &text[1..]),
        '[' => match set(rest) {
            Some((length, holds)) => {
                text.first().is_some_and(|&letter| holds(letter)) && matches(&rest[length..], &text[1..])
            }
            None => text.first() == Some(&'[') && matches(rest, &text[1..]),
        },
        letter => text.first() == Some(&letter) && matches(rest, &text[1..]),
    }
}

/// Reads the set behind a `[`: how much of the pattern it takes, and what it holds.
fn set(pattern: &[char]) -> Option<(usize, impl Fn(char) -> bool + use<>)> {
    let negated = pattern.first() == Some(&'!');
    let start = usize::from(negated);
    let end = (start + 1..pattern.len()).find(|&at| pattern[at] == ']')?;
    let body: Vec<char> = pattern[start..end].to_vec();
    let holds = move |letter: char| {
        let mut at = 0;
        let mut found = false;
        while at < body.len() {
            if at + 2 < body.len() && body[at + 1] == '-' {
                found |= body[at] <= letter && letter <= body[at + 2];
                at += 3;
            } else {
                found |= body[at] == letter;
                at += 1;
            }
        }
        found != negated
    };
    Some((end + 1, holds))
}

fn oracle(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    matches(&pattern, &text)
}

/// Letters that some glob dialect or engine treats as special, and a few that none does.
fn letters(length: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let special = "*?[]!^-{},\\/.\n&~|()$+#";
    let plain = "abcz é日😀\u{301}\u{d7ff}\u{e000}";
    let one = prop_oneof![
        4 => proptest::sample::select(vec!['*', '?', '[', ']', '-', '!']),
        2 => proptest::sample::select(special.chars().collect::<Vec<_>>()),
        4 => proptest::sample::select(plain.chars().collect::<Vec<_>>()),
    ];
    proptest::collection::vec(one, length).prop_map(|letters| letters.into_iter().collect())
}

/// A text that has a fair chance to match: the pattern with some of its letters swapped.
fn near(pattern: &str) -> impl Strategy<Value = String> + use<> {
    let choices: Vec<BoxedStrategy<String>> =
        pattern.chars().map(|letter| prop_oneof![3 => Just(letter.to_string()), 2 => letters(0..3)].boxed()).collect();
    choices.prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_unrelated_texts(pattern in letters(0..8), text in letters(0..8)) {
        let glob = Glob::new(&pattern).expect("a short pattern");
        prop_assert_eq!(glob.is_match(&text), oracle(&pattern, &text), "{:?} on {:?}", pattern, text);
    }

    #[test]
    fn agrees_on_texts_near_the_pattern(
        (pattern, text) in letters(0..10).prop_flat_map(|pattern| (Just(pattern.clone()), near(&pattern))),
    ) {
        let glob = Glob::new(&pattern).expect("a short pattern");
        prop_assert_eq!(glob.is_match(&text), oracle(&pattern, &text), "{:?} on {:?}", pattern, text);
    }

    #[test]
    fn a_text_without_wildcards_matches_itself_only(text in letters(0..8), other in letters(0..8)) {
        if !has_wildcard(&text) {
            let glob = Glob::new(&text).expect("a short pattern");
            prop_assert!(glob.is_literal());
            prop_assert!(glob.is_match(&text));
            prop_assert_eq!(glob.is_match(&other), text == other);
        }
    }
}
