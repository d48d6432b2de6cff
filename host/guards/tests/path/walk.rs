//! Links met on a walk, and several paths in one request.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::tree::{Rule, Tree};
use abxd_guards::Opener;
use abxd_guards::path::Access::Read;
use abxd_guards::path::{CheckedPath, PathDenial};

fn follow(tree: &Tree, rule: &Rule<'_>, name: &str) -> Result<CheckedPath, PathDenial> {
    let dir = tree.at("/r/out");
    let guard = rule.guard(tree, Opener::detect());
    let top = guard.check(dir.as_os_str().as_bytes(), Read).unwrap();
    let text = fs::read_link(dir.join(name)).unwrap();
    top.walk().follow(&dir, OsStr::new(name), text.as_os_str())
}

#[test]
fn a_followed_link_opens_what_it_led_to() {
    let tree = Tree::new();
    symlink("in", tree.at("/r/out/chain")).unwrap();
    symlink("nowhere", tree.at("/r/out/dangle")).unwrap();
    for name in ["in", "chain"] {
        let found = follow(&tree, &Rule::default(), name).unwrap();
        assert_eq!(found.real(), tree.at("/r/out/a.txt"));
        assert_eq!(found.open_file().unwrap().1.size, 6);
    }
    assert_eq!(follow(&tree, &Rule::default(), "lnk").unwrap().real(), tree.at("/r/secret"));
    assert!(follow(&tree, &Rule::default(), "dangle").unwrap().facts().is_err());
    assert!(follow(&tree, &Rule::default(), "loop").unwrap().is_loop());
}

#[test]
fn a_link_swapped_in_behind_a_followed_one_is_not_taken() {
    let tree = Tree::new();
    let found = follow(&tree, &Rule::default(), "in").unwrap();
    fs::remove_file(tree.at("/r/out/a.txt")).unwrap();
    symlink("/etc/passwd", tree.at("/r/out/a.txt")).unwrap();
    assert!(found.open_file().is_err());
}

#[test]
fn a_followed_link_is_judged_like_any_path() {
    let tree = Tree::new();
    let denying = Rule { deny: &["*.pem"], ..Rule::default() };
    let never = Rule { never: true, ..Rule::default() };
    symlink("../secret/s.pem", tree.at("/r/out/plain")).unwrap();
    symlink("a.txt", tree.at("/r/out/named.pem")).unwrap();
    for (rule, name, denial) in [
        (&Rule::default(), "etc", PathDenial::Outside),
        (&denying, "plain", PathDenial::Denied),
        (&denying, "named.pem", PathDenial::Denied),
        (&never, "in", PathDenial::Symlink),
    ] {
        assert_eq!(follow(&tree, rule, name).unwrap_err(), denial, "{name}");
    }
}

#[test]
fn several_paths_are_judged_one_by_one_in_order() {
    let tree = Tree::new();
    let guard = Rule::default().guard(&tree, Opener::detect());
    let paths = ["/r/out/a.txt", "/r/out/in", "/r/out/etc", "", "/r"].map(|path| match path {
        "" => Path::new("").to_owned(),
        path => tree.at(path),
    });
    let raw = || paths.iter().map(|path| path.as_os_str().as_bytes());
    let judged: Vec<_> = guard.check_each(raw(), Read).map(|path| path.map(|path| path.real().to_owned())).collect();
    let file = tree.at("/r/out/a.txt");
    let expected = [Ok(file.clone()), Ok(file), Err(PathDenial::Outside), Err(PathDenial::Empty), Ok(tree.at("/r"))];
    assert_eq!(judged, expected);
    let mut asked = 0;
    let first: Result<Vec<_>, _> = guard.check_each(raw().inspect(|_| asked += 1), Read).collect();
    assert_eq!((first.unwrap_err(), asked), (PathDenial::Outside, 3));
}
