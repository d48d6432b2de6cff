//! The table of the command guard (`contract: guards §2`), row by row.

use std::path::Path;

use crate::tree::{Rule, Tree};
use abxd_command::{CommandPattern, split_words};
use abxd_guards::Opener;
use abxd_guards::command::{CommandDenial, CommandGuard, CommandRule};

type Code = Result<(), &'static str>;

const PASSES: Code = Ok(());
const NOT_ALLOWED: Code = Err("command_not_allowed");
const INVALID: Code = Err("command_invalid");

pub(crate) fn patterns(texts: &[&str]) -> Vec<CommandPattern> {
    texts.iter().map(|text| CommandPattern::parse(text).unwrap()).collect()
}

/// Lists as a row has them: no allow list is `None`.
pub(crate) fn rule(allow: Option<&[&str]>, deny: &[&str]) -> CommandRule {
    CommandRule { allow: allow.map(patterns), deny: patterns(deny), allow_required: false }
}

#[track_caller]
fn expect(allow: Option<&[&str]>, deny: &[&str], lines: &[&str], expected: Code) {
    let tree = Tree::new();
    let paths = Rule { allow: &["/r"], ..Rule::default() }.guard(&tree, Opener::detect());
    let guard = CommandGuard::new(rule(allow, deny));
    for line in lines {
        let argv = split_words(line).unwrap();
        let checked = guard.check(argv.clone(), &paths, &tree.at("/r")).map(|checked| {
            assert_eq!(checked.argv(), argv, "{line} must run as it was given");
            assert_eq!(checked.into_argv(), argv);
        });
        assert_eq!(checked.map_err(CommandDenial::code), expected, "{line} with {allow:?} and {deny:?}");
    }
}

#[test]
fn without_lists_everything_passes() {
    expect(None, &[], &["ls -l", "rm -rf /", "sh -c 'x'"], PASSES);
    expect(Some(&[]), &[], &["ls -l"], PASSES);
}

#[test]
fn a_program_is_allowed_by_its_word_or_its_last_component() {
    expect(Some(&["ls"]), &[], &["ls -l /x", "/bin/ls"], PASSES);
    expect(Some(&["ls"]), &[], &["lsof"], NOT_ALLOWED);
    expect(Some(&["/bin/ls"]), &[], &["/bin/ls"], PASSES);
    expect(Some(&["/bin/ls"]), &[], &["ls"], NOT_ALLOWED);
    expect(Some(&["py*"]), &[], &["/usr/bin/python3 -c x"], PASSES);
    expect(Some(&["*"]), &[], &["/bin/rm"], PASSES);
}

#[test]
fn a_denied_program_does_not_run_although_it_is_allowed() {
    expect(None, &["rm"], &["rm x", "/bin/rm x"], NOT_ALLOWED);
    expect(None, &["rm"], &["env rm x"], PASSES);
    expect(Some(&["rm"]), &["rm"], &["rm"], NOT_ALLOWED);
}

#[test]
fn flags_are_denied_one_by_one() {
    expect(None, &["rm -r ..."], &["rm -rf x"], NOT_ALLOWED);
    expect(None, &["rm -r ..."], &["rm -fr x"], PASSES);
    expect(None, &["rm ... -r ..."], &["rm -fr x"], NOT_ALLOWED);
    expect(None, &["rm ... -r ..."], &["rm --recursive x"], PASSES);
}

#[test]
fn a_whole_line_is_allowed_word_by_word() {
    expect(Some(&["git status"]), &[], &["git status"], PASSES);
    expect(Some(&["git status"]), &[], &["git status -s"], NOT_ALLOWED);
    expect(Some(&["git status ..."]), &[], &["git status -s x"], PASSES);
    expect(Some(&["git ... status"]), &[], &["git -C /x status"], PASSES);
    expect(Some(&["git *"]), &[], &["git status"], PASSES);
    expect(Some(&["git *"]), &[], &["git -h", "git a/b", "git a..b"], NOT_ALLOWED);
    expect(Some(&["git */*", "git -*"]), &[], &["git a/b", "git -h"], PASSES);
    expect(Some(&["\"a b\" c"]), &[], &["'a b' c"], PASSES);
    expect(Some(&["..."]), &[], &["anything", "at all -x"], PASSES);
    expect(Some(&["... x"]), &[], &["a x"], PASSES);
    expect(Some(&["{word}"]), &[], &["ls"], NOT_ALLOWED);
}

#[test]
fn grouped_flags_match_single_ones_and_never_a_group() {
    expect(Some(&["ls -l -R"]), &[], &["ls -lR"], PASSES);
    expect(Some(&["ls -lR"]), &[], &["ls -lR"], NOT_ALLOWED);
    expect(Some(&["find . -name {word}"]), &[], &["find . -name x"], NOT_ALLOWED);
}

#[test]
fn elements_admit_their_form() {
    expect(Some(&["head -n {int} {path}"]), &[], &["head -n 5 out/a.txt"], PASSES);
    expect(Some(&["head -n {int} {path}"]), &[], &["head -n 5 /etc/passwd"], Err("path_not_allowed"));
    expect(Some(&["head -n {int} {path}"]), &[], &["head -n -5 a", "head -n 1234567890 a"], NOT_ALLOWED);
    expect(Some(&["cat {path}"]), &[], &["cat -x", "cat \"\""], NOT_ALLOWED);
    expect(Some(&["echo {word}"]), &[], &["echo a.b@c:+=,-", "echo a..b"], PASSES);
    expect(Some(&["echo {word}"]), &[], &["echo -a", "echo a/b", "echo .."], NOT_ALLOWED);
}

#[test]
fn a_path_beside_grouped_flags_is_refused() {
    expect(Some(&["ls -l -a {path}"]), &[], &["ls -la out"], NOT_ALLOWED);
    expect(Some(&["ls -l -a {path}"]), &[], &["ls -l -a out"], PASSES);
    expect(Some(&["ls -l -a ..."]), &[], &["ls -la out"], PASSES);
}

#[test]
fn only_bound_words_are_judged_as_paths() {
    expect(Some(&["cat {path} ..."]), &[], &["cat out/a.txt /etc/passwd"], PASSES);
    expect(Some(&["cat {path} ..."]), &[], &["cat /etc/passwd out/a.txt"], Err("path_not_allowed"));
    expect(Some(&["cat ... {path}"]), &[], &["cat out/a.txt /etc/passwd"], Err("path_not_allowed"));
}

#[test]
fn the_first_pattern_that_matches_decides() {
    expect(Some(&["cat {path}", "cat ..."]), &[], &["cat /etc/passwd"], Err("path_not_allowed"));
    expect(Some(&["cat ...", "cat {path}"]), &[], &["cat /etc/passwd"], PASSES);
    expect(Some(&["ls -l -a {path}", "ls ..."]), &[], &["ls -la out"], NOT_ALLOWED);
}

#[test]
fn a_path_in_the_deny_list_matches_by_form_alone() {
    expect(None, &["cat {path}"], &["cat /etc/passwd", "cat nowhere"], NOT_ALLOWED);
    expect(None, &["cat {path}"], &["cat -x", "cat a b"], PASSES);
}

#[test]
fn words_are_counted_and_measured_with_or_without_lists() {
    let words = |count: usize| vec!["x"; count].join(" ");
    let long = |letter: &str, count: usize| format!("x {}", letter.repeat(count));
    for (allow, deny) in [(None, &[][..]), (Some(&["y"][..]), &["x"][..])] {
        expect(allow, deny, &[&words(257), &long("a", 4097), &long("é", 4097), "x 'a\0b'"], INVALID);
    }
    expect(None, &[], &[&words(256), &long("a", 4096), &long("é", 4096)], PASSES);
}

#[test]
fn no_words_are_no_command() {
    let tree = Tree::new();
    let paths = Rule::default().guard(&tree, Opener::detect());
    let checked = CommandGuard::new(CommandRule::default()).check(Vec::new(), &paths, Path::new("/"));
    assert_eq!(checked.unwrap_err().code(), "command_invalid");
}

#[test]
fn a_demanded_allow_list_that_is_empty_admits_nothing() {
    let tree = Tree::new();
    let paths = Rule::default().guard(&tree, Opener::detect());
    for (allow, expected) in [
        (None, Err("scope_required")),
        (Some(&[][..]), Err("scope_required")),
        (Some(&["ls"][..]), Ok(())),
        (Some(&["cat"][..]), Err("command_not_allowed")),
    ] {
        let guard = CommandGuard::new(CommandRule { allow_required: true, ..rule(allow, &["rm"]) });
        let code = |words: &[&str]| {
            let argv = words.iter().map(|word| (*word).to_owned()).collect();
            guard.check(argv, &paths, Path::new("/")).map(drop).map_err(CommandDenial::code)
        };
        assert_eq!(code(&["ls"]), expected, "{allow:?}");
        assert_eq!(code(&["rm"]), Err("command_not_allowed"), "the deny list comes first");
    }
}
