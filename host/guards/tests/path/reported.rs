//! Names that another program reports.

use std::os::unix::fs::symlink;

use abxd_guards::Opener;

use crate::tree::{Rule, Tree};

/// Whether each name passes.
fn judge<const N: usize>(tree: &Tree, rule: &Rule<'_>, names: [&str; N]) -> [bool; N] {
    let mut reported = rule.guard(tree, Opener::detect()).reported();
    names.map(|name| reported.admits(&tree.at(name)))
}

#[test]
fn a_name_is_judged_where_it_stands_and_never_followed_itself() {
    let tree = Tree::new();
    let names = ["/r/out/a.txt", "/r/out/missing", "/r/out/etc", "/r/out/loop", "/r/out/dir/", "/r", "/r2/x"];
    assert_eq!(judge(&tree, &Rule::default(), names), [true, true, true, true, true, true, false]);
}

#[test]
fn links_above_a_name_are_followed() {
    let tree = Tree::new();
    let names = ["/r/out/etc/passwd", "/r/out/lnk/s.pem", "/rl/out/a.txt"];
    assert_eq!(judge(&tree, &Rule::default(), names), [false, true, true]);
    let never = Rule { never: true, ..Rule::default() };
    assert_eq!(judge(&tree, &never, names), [false, false, false]);
    assert_eq!(judge(&tree, &never, ["/r/out/in", "/r/out/lnk"]), [true, true], "a link is no name's way to itself");
}

#[test]
fn patterns_hit_the_name_and_the_directories_above_it() {
    let tree = Tree::new();
    symlink("../secret", tree.at("/r/out/other")).unwrap();
    let rule = Rule { deny: &["*.pem", "secret"], ..Rule::default() };
    let names = ["/r/out/x.pem", "/r/out/x.pem/y", "/r/secret/a", "/r/out/other/a", "/r/out/a.txt"];
    assert_eq!(judge(&tree, &rule, names), [false, false, false, false, true]);
}

#[test]
fn the_directory_of_one_name_is_not_taken_for_that_of_the_next() {
    let tree = Tree::new();
    let names = ["/r/out/a", "/r/out/etc/a", "/r/out/b", "/r/out/etc/b"];
    assert_eq!(judge(&tree, &Rule::default(), names), [true, false, true, false]);
}

#[test]
fn a_rule_narrows_by_roots_and_by_patterns() {
    let tree = Tree::new();
    let denying = Rule { deny: &["*.pem"], ..Rule::default() };
    let rooted = Rule { allow: &["/r/out"], ..Rule::default() };
    for (rule, narrows, denies) in [(Rule::default(), false, false), (denying, true, true), (rooted, true, false)] {
        let guard = rule.guard(&tree, Opener::detect());
        assert_eq!((guard.narrows(), guard.denies_some()), (narrows, denies));
    }
}
