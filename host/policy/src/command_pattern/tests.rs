//! Reading command patterns and splitting words.

use super::*;

fn words(text: &str) -> Vec<String> {
    split_words(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn elements(text: &str) -> Vec<String> {
    let pattern = CommandPattern::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    match pattern.shape() {
        Shape::Program(glob) => vec![format!("only {glob}")],
        Shape::Words(elements) => elements
            .iter()
            .map(|element| match element {
                Element::Program(glob) => format!("program {glob}"),
                Element::Literal(word) => format!("literal {word}"),
                Element::Glob(word) => {
                    format!("glob {} {} {} {}", word.glob, word.admits_slash, word.admits_dots, word.admits_dash)
                }
                other => format!("{other:?}"),
            })
            .collect(),
    }
}

#[test]
fn words_are_split_as_posix_shells_do() {
    let rows: &[(&str, &[&str])] = &[
        ("", &[]),
        (" \t\r\n", &[]),
        ("a b\tc\rd\ne", &["a", "b", "c", "d", "e"]),
        ("a'b'c", &["abc"]),
        ("'a b' \"c d\"", &["a b", "c d"]),
        ("''", &[""]),
        ("a \"\" b", &["a", "", "b"]),
        (r#""a\"b\\c\d""#, &[r#"a"b\c\d"#]),
        (r"'a\b'", &[r"a\b"]),
        (r"a\ b \n", &["a b", "n"]),
        ("a\\\nb", &["a\nb"]),
        ("# $x *.c | ; ~", &["#", "$x", "*.c", "|", ";", "~"]),
        ("a\u{a0}b", &["a\u{a0}b"]),
    ];
    for &(text, expected) in rows {
        assert_eq!(words(text), expected, "{text:?}");
    }
}

#[test]
fn what_does_not_split() {
    for text in ["'a", "\"a", "a'", "'\\", "\"a\\\""] {
        assert_eq!(split_words(text), Err(SplitError::UnclosedQuote), "{text:?}");
    }
    for text in ["\\", "a\\", "\"a\\"] {
        assert_eq!(split_words(text), Err(SplitError::TrailingBackslash), "{text:?}");
    }
}

#[test]
fn one_word_means_the_program_alone() {
    assert_eq!(elements("ls"), ["only ls"]);
    assert_eq!(elements("py*"), ["only py*"]);
    assert_eq!(elements("/bin/ls"), ["only /bin/ls"]);
    assert_eq!(elements("'a b'"), ["only a b"]);
}

#[test]
fn one_word_that_is_no_program() {
    assert_eq!(elements("..."), ["Rest"]);
    assert_eq!(elements("{word}"), ["literal {word}"]);
    assert_eq!(elements("{int} x"), ["literal {int}", "literal x"]);
}

#[test]
fn several_words_stand_for_the_whole_line() {
    assert_eq!(elements("git status ..."), ["program git", "literal status", "Rest"]);
    assert_eq!(elements("head -n {int} {path}"), ["program head", "literal -n", "Int", "Path"]);
    assert_eq!(elements("echo {word} {other}"), ["program echo", "Word", "literal {other}"]);
    assert_eq!(elements("\"a b\" c"), ["program a b", "literal c"]);
    assert_eq!(elements("... x"), ["Rest", "literal x"]);
    assert_eq!(elements("git *"), ["program git", "glob * false false false"]);
    assert_eq!(elements("git */*"), ["program git", "glob */* true false false"]);
    assert_eq!(elements("git -* ..*"), ["program git", "glob -* false false true", "glob ..* false true false"]);
}

#[test]
fn what_is_invalid() {
    assert_eq!(CommandPattern::parse("  ").err(), Some(CommandPatternError::Empty));
    assert_eq!(CommandPattern::parse("a 'b").err(), Some(CommandPatternError::Split(SplitError::UnclosedQuote)));
    assert_eq!(CommandPattern::parse("a ... ... ... ...").err(), Some(CommandPatternError::TooManyRests));
    assert!(CommandPattern::parse("a ... ... ...").is_ok());
}

#[test]
fn grouped_flags_are_found() {
    let pattern = CommandPattern::parse("find . -name -l --all -a1 -lR").expect("a pattern");
    assert_eq!(pattern.grouped_flags().collect::<Vec<_>>(), ["-name", "-lR"]);
}
