//! Links as arguments of delete and move (`contract: file_ops §1.8`) and what may not be removed (`contract: guards §1`,
//! tree protection).

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use crate::tree::{Rule, Tree};
use abxd_guards::Opener;
use abxd_guards::path::Access::{Delete, Write};
use abxd_guards::path::{OpenFailure, OwnPath, PathDenial};

fn own(tree: &Tree, rule: &Rule<'_>, path: &str) -> Result<OwnPath, PathDenial> {
    rule.guard(tree, Opener::detect()).check_own(tree.at(path).as_os_str().as_bytes(), Delete)
}

fn protect(tree: &Tree, rule: &Rule<'_>, path: &str) -> Result<(), OpenFailure> {
    let path = own(tree, rule, path)?;
    let parent = path.parent()?;
    let facts = parent.facts()?;
    path.protect_tree(&parent, &facts)
}

const REFUSED: Result<(), OpenFailure> = Err(OpenFailure::Denied(PathDenial::Denied));

#[test]
fn own_path_is_the_link_itself_and_target_where_it_leads() {
    let tree = Tree::new();
    symlink("nowhere", tree.at("/r/out/dangle")).unwrap();
    symlink("in", tree.at("/r/out/chain")).unwrap();
    for (path, own_path, target, link) in [
        ("/r/out/in", "/r/out/in", "/r/out/a.txt", Some("a.txt")),
        ("/r/out/in/", "/r/out/in", "/r/out/a.txt", Some("a.txt")),
        ("/r/out/chain", "/r/out/chain", "/r/out/a.txt", Some("in")),
        ("/r/out/dangle", "/r/out/dangle", "/r/out/nowhere", Some("nowhere")),
        ("/r/out/loop", "/r/out/loop", "/r/out/loop", Some("loop")),
        ("/r/out/a.txt", "/r/out/a.txt", "/r/out/a.txt", None),
        ("/r/out/lnk/s.pem", "/r/secret/s.pem", "/r/secret/s.pem", None),
        ("/rl/out/in", "/r/out/in", "/r/out/a.txt", Some("a.txt")),
        ("/rl/out/a.txt", "/r/out/a.txt", "/r/out/a.txt", None),
    ] {
        let checked = own(&tree, &Rule::default(), path).unwrap();
        assert_eq!(checked.path(), tree.at(own_path), "{path}");
        assert_eq!(checked.target().real(), tree.at(target), "{path}");
        assert_eq!(checked.target().link_target().and_then(|text| text.to_str()), link, "{path}");
    }
}

#[test]
fn links_that_lead_outside_or_to_a_denied_name_are_refused() {
    let tree = Tree::new();
    symlink("secret/s.pem", tree.at("/r/plain")).unwrap();
    symlink("out/a.txt", tree.at("/r/named.pem")).unwrap();
    symlink(tree.at("/r/out/a.txt"), tree.at("/r2/inward")).unwrap();
    let denying = Rule { deny: &["*.pem"], ..Rule::default() };
    let never = Rule { never: true, ..Rule::default() };
    assert_eq!(own(&tree, &Rule::default(), "/r/out/etc").unwrap_err(), PathDenial::Outside);
    assert_eq!(own(&tree, &denying, "/r/plain").unwrap_err(), PathDenial::Denied);
    assert_eq!(own(&tree, &denying, "/r/named.pem").unwrap_err(), PathDenial::Denied);
    assert_eq!(own(&tree, &never, "/r/out/in").unwrap_err(), PathDenial::Symlink);
    // The link leads inside but lies outside.
    assert_eq!(own(&tree, &Rule::default(), "/r2/inward").unwrap_err(), PathDenial::Outside);
    let read_only = Rule { read_only: true, ..Rule::default() };
    assert_eq!(own(&tree, &read_only, "/r/out/in").unwrap_err(), PathDenial::ReadOnly);
}

#[test]
fn roots_and_links_to_roots_are_protected() {
    let tree = Tree::new();
    symlink("..", tree.at("/r/out/up")).unwrap();
    let two = Rule { allow: &["/r", "/r/secret"], ..Rule::default() };
    assert_eq!(protect(&tree, &Rule::default(), "/r"), REFUSED);
    assert_eq!(protect(&tree, &Rule::default(), "/r/out/up"), REFUSED);
    assert_eq!(protect(&tree, &two, "/r/secret"), REFUSED);
    assert_eq!(protect(&tree, &two, "/r/out"), Ok(()));
    assert_eq!(protect(&tree, &Rule { base: "/rl", ..Rule::default() }, "/rl"), Err(PathDenial::Outside.into()));
}

#[test]
fn trees_with_a_refused_entry_are_protected_only_where_the_rule_denies_names() {
    let tree = Tree::new();
    let denying = Rule { deny: &["*.key"], ..Rule::default() };
    // `out` holds a link that leads outside.
    assert_eq!(protect(&tree, &Rule::default(), "/r/out"), Ok(()));
    assert_eq!(protect(&tree, &denying, "/r/out"), REFUSED);
    assert_eq!(protect(&tree, &denying, "/r/secret"), Ok(()));
    fs::create_dir_all(tree.at("/r/secret/a/b/c")).unwrap();
    fs::write(tree.at("/r/secret/a/b/c/x.key"), "").unwrap();
    assert_eq!(protect(&tree, &denying, "/r/secret"), REFUSED);
    assert_eq!(protect(&tree, &denying, "/r/out/a.txt"), Ok(()));
}

#[test]
fn a_child_is_one_component_and_judged_like_any_path() {
    let tree = Tree::new();
    let guard = Rule { deny: &["*.pem"], ..Rule::default() }.guard(&tree, Opener::detect());
    let dir = guard.check(tree.at("/r/out").as_os_str().as_bytes(), Write).unwrap();
    assert_eq!(dir.child("new".as_ref(), Write).unwrap().real(), tree.at("/r/out/new"));
    assert_eq!(dir.child("in".as_ref(), Write).unwrap().real(), tree.at("/r/out/a.txt"));
    for (name, denial) in [
        ("", PathDenial::Name),
        (".", PathDenial::Name),
        ("..", PathDenial::Name),
        ("a/b", PathDenial::Name),
        ("/etc", PathDenial::Name),
        ("a\0", PathDenial::Name),
        ("x.pem", PathDenial::Denied),
        ("etc", PathDenial::Outside),
    ] {
        assert_eq!(dir.child(name.as_ref(), Write).unwrap_err(), denial, "{name}");
    }
    assert_eq!(PathDenial::Name.code(), "invalid_path");
}
