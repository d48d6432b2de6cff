//! Matching against a slow oracle that tries every length of every `...`, shortest first, and reads patterns on its
//! own.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "test code")]

use abxd_command::{CommandPattern, MatchingView, split_words};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// `fnmatch` without sets, by definition.
fn glob(pattern: &[char], text: &[char]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some(('*', rest)), _) => (0..=text.len()).any(|taken| glob(rest, &text[taken..])),
        (Some(('?', rest)), Some((_, behind))) => glob(rest, behind),
        (Some((letter, rest)), Some((found, behind))) => letter == found && glob(rest, behind),
        _ => false,
    }
}

fn is_glob(pattern: &str, text: &str) -> bool {
    glob(&pattern.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
}

fn is_program(pattern: &str, word: &str) -> bool {
    let name = word.rfind('/').map_or(word, |slash| &word[slash + 1..]);
    is_glob(pattern, word) || is_glob(pattern, name)
}

fn admits(element: &str, is_first: bool, word: &str) -> bool {
    if is_first {
        return if element.starts_with('{') { element == word } else { is_program(element, word) };
    }
    match element {
        "{int}" => !word.is_empty() && word.len() <= 9 && word.bytes().all(|digit| b"0123456789".contains(&digit)),
        "{word}" => word.chars().enumerate().fold(!word.is_empty(), |fits, (place, letter)| {
            fits && (letter.is_ascii_alphanumeric() || letter == '_' || (place > 0 && ".@:+=,-".contains(letter)))
        }),
        "{path}" => !word.is_empty() && !word.starts_with('-'),
        _ if element.contains(['*', '?']) => {
            let kept_out = (word.contains('/') && !element.contains('/'))
                || (word.contains("..") && !element.contains(".."))
                || (word.starts_with('-') && !element.starts_with('-'));
            !kept_out && is_glob(element, word)
        }
        _ => element == word,
    }
}

/// Which words `{path}` stands for, if the elements match.
fn bind(elements: &[String], is_first: bool, words: &[String]) -> Option<Vec<String>> {
    let Some((element, others)) = elements.split_first() else {
        return words.is_empty().then(Vec::new);
    };
    if element == "..." {
        return (0..=words.len()).find_map(|taken| bind(others, false, &words[taken..]));
    }
    let (word, rest) = words.split_first().filter(|(word, _)| admits(element, is_first, word))?;
    let mut paths = bind(others, false, rest)?;
    if element == "{path}" && !is_first {
        paths.insert(0, word.clone());
    }
    Some(paths)
}

fn oracle(pattern: &str, argv: &[String]) -> Option<Vec<String>> {
    let elements = split_words(pattern).unwrap();
    let mut view = argv[..1].to_vec();
    for word in &argv[1..] {
        let letters = word.strip_prefix('-').unwrap_or_default();
        if letters.len() >= 2 && letters.chars().all(|letter| letter.is_ascii_alphabetic()) {
            view.extend(letters.chars().map(|letter| format!("-{letter}")));
        } else {
            view.push(word.clone());
        }
    }
    match elements.as_slice() {
        [only] if only != "..." && !only.starts_with('{') => is_program(only, &argv[0]).then(Vec::new),
        elements => bind(elements, true, &view),
    }
}

fn element() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a", "b", "-a", "-b", "a*", "*", "?", "-*", "*/*", "..*", "{int}", "{word}", "{path}", "...", "...", "/a",
        "-ab",
    ])
}

fn word() -> impl Strategy<Value = String> {
    let known =
        select(vec!["a", "b", "-a", "-b", "-ab", "-ba", "ab", "a/b", "/a", "..", "a..b", "5", "", "-", "{word}"]);
    prop_oneof![9 => known.prop_map(str::to_owned), 1 => "[ab/.1-]{0,4}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn matching_is_what_trying_everything_finds(elements in vec(element(), 1..7), argv in vec(word(), 1..8)) {
        prop_assume!(elements.iter().filter(|element| **element == "...").count() <= 3);
        let text = elements.join(" ");
        let bound = CommandPattern::parse(&text).unwrap().bind(&MatchingView::of(&argv)).map(|paths| {
            paths.into_iter().map(str::to_owned).collect::<Vec<_>>()
        });
        prop_assert_eq!(bound, oracle(&text, &argv), "{} against {:?}", text, argv);
    }
}

proptest! {
    #[test]
    fn any_text_is_a_pattern_or_an_error(text in any::<String>(), argv in vec(any::<String>(), 0..4)) {
        if let Ok(pattern) = CommandPattern::parse(&text) {
            let _ = pattern.bind(&MatchingView::of(&argv));
        }
    }

    #[test]
    fn quoted_words_are_split_into_what_they_were(words in vec(any::<String>(), 0..5)) {
        let quoted: Vec<_> = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
        prop_assert_eq!(split_words(&quoted.join(" ")).unwrap(), words);
    }
}

/// A million flags against three `...` would take for ever if a choice were ever taken back.
#[test]
fn the_longest_command_line_is_matched_in_no_time() {
    let word = format!("-{}", "a".repeat(4095));
    let argv: Vec<String> = std::iter::once("x".to_owned()).chain((1..256).map(|_| word.clone())).collect();
    let view = MatchingView::of(&argv);
    for text in ["x ... -a -a -a -b ... -a -b ... -c", "x ... {path} ... {path} ... -a", "x ... * ... * ... {int}"] {
        assert!(CommandPattern::parse(text).unwrap().bind(&view).is_none());
    }
}
