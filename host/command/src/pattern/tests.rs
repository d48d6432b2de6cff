//! Reading patterns and matching them, element by element.

use super::*;

fn pattern(text: &str) -> CommandPattern {
    CommandPattern::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// What the `{path}` elements stand for; `None` when `pattern` does not match.
fn bound(text: &str, line: &str) -> Option<Vec<String>> {
    let argv = split_words(line).unwrap();
    let bound = pattern(text).bind(&MatchingView::of(&argv))?;
    Some(bound.into_iter().map(str::to_owned).collect())
}

#[track_caller]
fn matches(text: &str, yes: &[&str], no: &[&str]) {
    for line in yes {
        assert!(bound(text, line).is_some(), "{text} has to match {line}");
    }
    for line in no {
        assert_eq!(bound(text, line), None, "{text} must not match {line}");
    }
}

#[test]
fn one_word_means_the_program_alone() {
    matches("ls", &["ls", "ls -l /x", "/bin/ls", "./ls x", "../ls"], &["lsof", "ls/", "''"]);
    matches("/bin/ls", &["/bin/ls"], &["ls", "/usr/bin/ls", "//bin/ls"]);
    matches("py*", &["/usr/bin/python3 -c x", "py"], &["xpy"]);
    matches("*", &["/bin/rm", "rm", "''"], &[""]);
    matches("'a b'", &["'a b' c", "'/x/a b'"], &["a b"]);
}

#[test]
fn several_words_stand_for_the_whole_line() {
    matches("git status", &["git status", "/usr/bin/git status"], &["git", "git status -s", "git log"]);
    matches("\"a b\" c", &["'a b' c"], &["a b c"]);
}

#[test]
fn the_first_word_in_braces_is_literal() {
    matches("{word}", &["{word}", "'{word}'"], &["ls"]);
    matches("{int} x", &["{int} x"], &["5 x", "/bin/{int} x"]);
}

#[test]
fn a_word_with_wildcards_keeps_out_paths_and_options_unless_it_has_them() {
    matches("git *", &["git status", "git a.b", "git ''"], &["git -h", "git a/b", "git a..b", "git .."]);
    matches("git */*", &["git a/b", "git /"], &["git a", "git -a/b", "git a/..", "git a../b"]);
    matches("git -*", &["git -h", "git --all", "git -"], &["git h", "git -a/b", "git -a..b"]);
    matches("git ..*", &["git ..", "git ..x"], &["git .", "git ../x"]);
    matches("git [ab]?", &["git ax", "git bé"], &["git a", "git cx", "git a/"]);
    matches("git [", &["git ["], &["git x"]);
}

#[test]
fn int_is_one_to_nine_ascii_digits() {
    let no = ["x -5", "x 1234567890", "x ''", "x +5", "x 5.0", "x '5\n'", "x ٣", "x '5 '"];
    matches("x {int}", &["x 5", "x 0", "x 007", "x 123456789"], &no);
}

#[test]
fn word_starts_plain_and_goes_on_with_a_few_signs() {
    let yes = ["echo a.b@c:+=,-", "echo a..b", "echo 1", "echo _x", "echo A"];
    let no = ["echo -a", "echo a/b", "echo ..", "echo ''", "echo .a", "echo @a", "echo é", "echo 'a\n'", "echo 'a b'"];
    matches("echo {word}", &yes, &no);
}

#[test]
fn path_is_anything_that_is_no_option() {
    matches(
        "cat {path}",
        &["cat a", "cat /etc/passwd", "cat ..", "cat ' '"],
        &["cat -x", "cat ''", "cat -", "cat a b"],
    );
    assert_eq!(bound("cp {path} x {path}", "cp a x b"), Some(vec!["a".to_owned(), "b".to_owned()]));
}

#[test]
fn other_words_in_braces_are_literal() {
    matches("x {Path} {}", &["x {Path} {}"], &["x a {}"]);
}

#[test]
fn rest_stands_for_any_words() {
    matches("git status ...", &["git status", "git status -s x"], &["git", "git log status"]);
    matches("git ... status", &["git status", "git -C /x status", "git status status"], &["git status x", "git"]);
    matches("...", &["a", "a b c", ""], &[]);
    matches("... x", &["x", "a x", "a b x"], &["x a", "/bin/x", ""]);
    matches("a ... b ... c", &["a b c", "a x b y c", "a b b c c"], &["a c b", "a b", "a c"]);
    matches("a ... ... b", &["a b", "a x b"], &["a"]);
    matches("a ... b c ... c", &["a b b c c"], &["a b c", "a b x c c"]);
}

#[test]
fn rest_is_as_short_as_it_can_be() {
    let path = |text: &str, line: &str| bound(text, line).map(|paths| paths.join(" "));
    assert_eq!(path("x ... {path} ...", "x a b c").as_deref(), Some("a"));
    assert_eq!(path("x ... {path}", "x a b c").as_deref(), Some("c"));
    assert_eq!(path("x ... {path} b ...", "x a b c b").as_deref(), Some("a"));
    assert_eq!(path("x ... -o {path} ... {path}", "x -v -o a -o b c").as_deref(), Some("a c"));
    assert_eq!(path("cat {path} ...", "cat a /etc/passwd").as_deref(), Some("a"));
}

#[test]
fn grouped_flags_of_a_line_are_matched_one_by_one() {
    matches("ls -l -R", &["ls -lR", "ls -l -R"], &["ls -Rl"]);
    matches("ls -lR", &[], &["ls -lR", "ls -l -R"]);
    matches("find . -name {word}", &[], &["find . -name x"]);
    matches("rm -r ...", &["rm -rf x"], &["rm -fr x"]);
    matches("rm ... -r ...", &["rm -fr x"], &["rm --recursive x"]);
}

#[test]
fn what_is_invalid() {
    for text in ["", "  "] {
        assert_eq!(CommandPattern::parse(text).err(), Some(CommandPatternError::Empty));
    }
    assert_eq!(CommandPattern::parse("a 'b").err(), Some(CommandPatternError::Split(SplitError::UnclosedQuote)));
    assert_eq!(CommandPattern::parse("a\\").err(), Some(CommandPatternError::Split(SplitError::TrailingBackslash)));
    assert_eq!(CommandPattern::parse("a ... ... ... ...").err(), Some(CommandPatternError::TooManyRests));
    assert!(CommandPattern::parse("a ... ... ...").is_ok());
}

#[test]
fn grouped_flags_of_a_pattern_are_found() {
    let pattern = pattern("find . -name -l --all -a1 -lR");
    assert_eq!(pattern.grouped_flags().collect::<Vec<_>>(), ["-name", "-lR"]);
}
