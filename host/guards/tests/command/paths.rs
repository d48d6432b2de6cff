//! `{path}`: each way in which the command that gets the text can read it (`contract: guards §2`, and the first of its
//! weak points).

use std::fs;
use std::os::unix::fs::symlink;

use crate::table::rule;
use crate::tree::{Rule, Tree};
use abxd_guards::Opener;
use abxd_guards::command::{CommandDenial, CommandGuard};

/// The code of `cat WORD` run in `dir`, with `cat {path}` allowed.
fn cat(tree: &Tree, paths: &Rule<'_>, dir: &str, word: &str) -> Result<(), &'static str> {
    let guard = CommandGuard::new(rule(Some(&["cat {path}"]), &[]));
    let absolute = word.starts_with('/').then(|| tree.at(word).display().to_string());
    let argv = vec!["cat".to_owned(), absolute.unwrap_or_else(|| word.to_owned())];
    let checked = guard.check(argv, &paths.guard(tree, Opener::detect()), &tree.at(dir));
    checked.map(drop).map_err(CommandDenial::code)
}

#[test]
fn a_relative_path_has_to_pass_from_the_childs_directory_too() {
    let tree = Tree::new();
    let out = Rule { allow: &["/r/out"], ..Rule::default() };
    assert_eq!(cat(&tree, &out, "/r/secret", "s.pem"), Err("path_not_allowed"));
    assert_eq!(cat(&tree, &out, "/r/out", "a.txt"), Ok(()));
    assert_eq!(cat(&tree, &out, "/r/secret", "/r/out/a.txt"), Ok(()));
    let both = Rule { allow: &["/r/out", "/r/secret"], ..Rule::default() };
    assert_eq!(cat(&tree, &both, "/r/secret", "s.pem"), Ok(()));
    assert_eq!(cat(&tree, &both, "/r/secret", "../s.pem"), Err("path_not_allowed"));
    let denied = Rule { allow: &["/r"], deny: &["/*/secret/*"], ..Rule::default() };
    assert_eq!(cat(&tree, &denied, "/r/secret", "s.pem"), Err("path_denied"));
}

#[test]
fn a_relative_path_has_to_pass_from_the_first_root_too() {
    let tree = Tree::new();
    let rule = Rule { allow: &["/r/out", "/r"], deny: &["/*/r/out/s.pem"], ..Rule::default() };
    assert_eq!(cat(&tree, &rule, "/r/secret", "s.pem"), Err("path_denied"));
}

#[test]
fn without_roots_relative_paths_start_at_the_working_directory() {
    let tree = Tree::new();
    let rule = Rule { cwd: "/r/out", ..Rule::default() };
    assert_eq!(cat(&tree, &rule, "/r/out", "a.txt"), Ok(()));
    assert_eq!(cat(&tree, &rule, "/r", "../x"), Err("path_not_allowed"));
    assert_eq!(cat(&tree, &rule, "/r2", "a.txt"), Err("path_not_allowed"));
}

/// The kernel takes the `..` of `up/../x` from where `up` leads, which the text doesn't tell.
#[test]
fn a_climb_behind_a_link_is_judged_as_the_kernel_takes_it() {
    let tree = Tree::new();
    symlink(".", tree.at("/r/out/up")).unwrap();
    symlink("../secret", tree.at("/r/out/aside")).unwrap();
    let out = Rule { allow: &["/r/out"], ..Rule::default() };
    assert_eq!(cat(&tree, &out, "/r/out", "up/../s.pem"), Err("path_not_allowed"));
    assert_eq!(cat(&tree, &out, "/r/out", "/r/out/up/../s.pem"), Err("path_not_allowed"));
    assert_eq!(cat(&tree, &out, "/r/out", "up/a.txt"), Ok(()));
    let whole = Rule { allow: &["/r"], deny: &["/*/r/in"], ..Rule::default() };
    assert_eq!(cat(&tree, &whole, "/r/out", "lnk/../a.txt"), Ok(()));
    assert_eq!(cat(&tree, &whole, "/r/out", "aside/../in"), Err("path_denied"));
    let never = Rule { allow: &["/r"], never: true, ..Rule::default() };
    assert_eq!(cat(&tree, &never, "/r/out", "aside/../a.txt"), Err("symlink_denied"));
    assert_eq!(cat(&tree, &never, "/r/out", "../out/a.txt"), Err("path_not_allowed"), "from the first root, /r");
    assert_eq!(cat(&tree, &never, "/r", "out/../out/a.txt"), Ok(()));
}

#[test]
fn links_of_the_childs_directory_are_refused_where_none_may_be_followed() {
    let tree = Tree::new();
    fs::create_dir(tree.at("/r/lnk")).unwrap();
    let never = Rule { allow: &["/r"], never: true, ..Rule::default() };
    assert_eq!(cat(&tree, &never, "/r", "lnk/s.pem"), Ok(()));
    assert_eq!(cat(&tree, &never, "/r/out", "lnk/s.pem"), Err("symlink_denied"));
}

#[test]
fn exec_is_not_a_write() {
    let tree = Tree::new();
    assert_eq!(cat(&tree, &Rule { allow: &["/r"], read_only: true, ..Rule::default() }, "/r", "out/a.txt"), Ok(()));
}

#[test]
fn the_kernels_trees_are_no_arguments() {
    let tree = Tree::new();
    let all = Rule { allow: &["/"], ..Rule::default() };
    assert_eq!(cat(&tree, &all, "/r", "/proc/self/environ"), Err("path_denied"));
}

#[test]
fn what_no_path_can_be_is_refused_as_one() {
    let tree = Tree::new();
    let rule = Rule { allow: &["/r"], ..Rule::default() };
    let deep = format!("{}out/a.txt", "./".repeat(2042));
    assert_eq!(deep.len(), 4093);
    assert_eq!(cat(&tree, &rule, "/r", &deep), Ok(()), "its own length counts, not that of the directory before it");
}
