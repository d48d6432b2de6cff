//! The server's own files are out of reach of every rule, by every spelling.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use crate::tree::Tree;
use abxd_guards::path::Access::{Delete, Read, Write};
use abxd_guards::path::{OpenFailure, PathDenial, PathGuard, PathRule, Protected};

fn guard(tree: &Tree, places: &[&str]) -> Arc<PathGuard> {
    let protected = Protected::new(places.iter().map(|place| tree.at(place)));
    PathGuard::new(PathRule::default(), &tree.at("/r"), &tree.at("/r"), Arc::new(protected))
}

fn check(tree: &Tree, guard: &Arc<PathGuard>, path: &str) -> Result<(), PathDenial> {
    guard.check(tree.at(path).as_os_str().as_bytes(), Read).map(drop)
}

#[test]
fn protected_places_are_denied_under_every_spelling() {
    let tree = Tree::new();
    fs::create_dir(tree.at("/r/state")).unwrap();
    symlink("state", tree.at("/r/alias")).unwrap();
    let guard = guard(&tree, &["/r/state", "/r/policy.json"]);
    for path in ["/r/state", "/r/state/db", "/r/alias/db", "/rl/state/db", "/r/out/../state/db", "/r/policy.json"] {
        assert_eq!(check(&tree, &guard, path), Err(PathDenial::Denied), "{path}");
    }
    for path in ["/r/states", "/r/policy.json2", "/r"] {
        assert_eq!(check(&tree, &guard, path), Ok(()), "{path}");
    }
}

#[test]
fn a_protected_link_protects_what_it_leads_to_and_itself() {
    let tree = Tree::new();
    fs::create_dir(tree.at("/r/state")).unwrap();
    symlink("state", tree.at("/r/alias")).unwrap();
    let guard = guard(&tree, &["/r/alias"]);
    for path in ["/r/alias", "/r/alias/db", "/r/state/db"] {
        assert_eq!(check(&tree, &guard, path), Err(PathDenial::Denied), "{path}");
    }
}

#[test]
fn another_name_of_a_protected_file_opens_nothing() {
    let tree = Tree::new();
    fs::hard_link(tree.at("/r/secret/s.pem"), tree.at("/r/out/copy")).unwrap();
    let guard = guard(&tree, &["/r/secret/s.pem"]);
    for access in [Read, Write] {
        let path = guard.check(tree.at("/r/out/copy").as_os_str().as_bytes(), access).unwrap();
        assert_eq!(path.open_file().unwrap_err(), OpenFailure::Denied(PathDenial::Denied));
    }
}

#[test]
fn another_name_of_a_file_in_a_protected_directory_opens_nothing() {
    let tree = Tree::new();
    fs::create_dir_all(tree.at("/r/state/deep/er")).unwrap();
    for (name, link) in [("/r/state/db", "/r/out/one"), ("/r/state/deep/er/log", "/r/out/two")] {
        fs::write(tree.at(name), "own").unwrap();
        fs::hard_link(tree.at(name), tree.at(link)).unwrap();
    }
    fs::write(tree.at("/r/out/plain"), "x").unwrap();
    fs::hard_link(tree.at("/r/out/plain"), tree.at("/r/out/twin")).unwrap();
    let guard = guard(&tree, &["/r/state"]);
    let open = |name: &str| {
        let path = guard.check(tree.at(name).as_os_str().as_bytes(), Read).unwrap();
        path.open_file().map(drop)
    };
    for name in ["/r/out/one", "/r/out/two"] {
        assert_eq!(open(name), Err(OpenFailure::Denied(PathDenial::Denied)), "{name}");
    }
    for name in ["/r/out/plain", "/r/out/twin"] {
        assert_eq!(open(name), Ok(()), "{name}");
    }
    // What is no longer there protects nothing.
    fs::remove_file(tree.at("/r/state/db")).unwrap();
    assert_eq!(open("/r/out/one"), Ok(()));
}

#[test]
fn a_protected_directory_that_is_too_large_to_look_through_is_taken_to_hold_any_link() {
    let tree = Tree::new();
    fs::create_dir(tree.at("/r/state")).unwrap();
    for number in 0..10_001 {
        fs::write(tree.at(&format!("/r/state/{number}")), "").unwrap();
    }
    fs::write(tree.at("/r/out/plain"), "x").unwrap();
    let guard = guard(&tree, &["/r/state"]);
    let path = guard.check(tree.at("/r/out/plain").as_os_str().as_bytes(), Read).unwrap();
    path.open_file().unwrap();
    fs::hard_link(tree.at("/r/out/plain"), tree.at("/r/out/twin")).unwrap();
    assert_eq!(path.open_file().unwrap_err(), OpenFailure::Denied(PathDenial::Denied));
    fs::remove_file(tree.at("/r/state/0")).unwrap();
    path.open_file().unwrap();
}

#[test]
fn walks_leave_protected_places_out() {
    let tree = Tree::new();
    fs::create_dir(tree.at("/r/state")).unwrap();
    let guard = guard(&tree, &["/r/state", "/r/out/a.txt"]);
    let top = guard.check(tree.at("/r").as_os_str().as_bytes(), Read).unwrap();
    let mut walk = top.walk();
    assert!(!walk.admits(top.real(), "state".as_ref(), None));
    assert!(walk.admits(top.real(), "out".as_ref(), None));
    assert!(!walk.admits(&tree.at("/r/out"), "a.txt".as_ref(), None));
    assert!(!walk.admits(&tree.at("/r/out"), "in".as_ref(), Some("a.txt".as_ref())));
}

#[test]
fn a_directory_that_holds_a_protected_place_stays() {
    let tree = Tree::new();
    fs::create_dir_all(tree.at("/r/var/state")).unwrap();
    let guard = guard(&tree, &["/r/var/state"]);
    let path = guard.check_own(tree.at("/r/var").as_os_str().as_bytes(), Delete).unwrap();
    let parent = path.parent().unwrap();
    let facts = parent.facts().unwrap();
    assert_eq!(path.protect_tree(&parent, &facts), Err(PathDenial::Denied.into()));
}

#[test]
fn a_link_on_the_way_to_a_protected_place_neither_goes_nor_is_replaced() {
    let tree = Tree::new();
    fs::create_dir_all(tree.at("/r/data/state")).unwrap();
    symlink("data", tree.at("/r/srv")).unwrap();
    let guard = guard(&tree, &["/r/srv/state"]);
    for access in [Delete, Write] {
        let judged = guard.check_own(tree.at("/r/srv").as_os_str().as_bytes(), access);
        assert_eq!(judged.unwrap_err(), PathDenial::Denied);
    }
    assert_eq!(check(&tree, &guard, "/r/srv/other"), Ok(()));
}

/// The way a cluster lays out what it mounts: `p.json -> ..data/p.json`, `..data -> ..v1`.
#[test]
fn every_link_on_the_way_stays_and_so_does_what_holds_it() {
    let tree = Tree::new();
    fs::create_dir_all(tree.at("/r/conf/..v1")).unwrap();
    fs::create_dir_all(tree.at("/r/store/deep")).unwrap();
    fs::write(tree.at("/r/store/p.json"), "{}").unwrap();
    symlink("../../store/deep/../p.json", tree.at("/r/conf/..v1/p.json")).unwrap();
    symlink("..v1", tree.at("/r/conf/..data")).unwrap();
    symlink("..data/p.json", tree.at("/r/conf/p.json")).unwrap();
    symlink("conf", tree.at("/r/etc")).unwrap();
    let guard = guard(&tree, &["/r/etc/p.json"]);
    for link in ["/r/etc", "/r/etc/p.json", "/r/conf/p.json", "/r/conf/..data", "/r/etc/..data", "/r/conf/..v1/p.json"]
    {
        for access in [Delete, Write] {
            let judged = guard.check_own(tree.at(link).as_os_str().as_bytes(), access);
            assert_eq!(judged.unwrap_err(), PathDenial::Denied, "{access:?} {link}");
        }
    }
    for file in ["/r/etc/p.json", "/r/conf/..data/p.json", "/r/conf/..v1/p.json", "/r/store/p.json"] {
        assert_eq!(check(&tree, &guard, file), Err(PathDenial::Denied), "{file}");
    }
    for directory in ["/r/conf", "/r/conf/..v1", "/r/store"] {
        let path = guard.check_own(tree.at(directory).as_os_str().as_bytes(), Delete).unwrap();
        let parent = path.parent().unwrap();
        let facts = parent.facts().unwrap();
        assert_eq!(path.protect_tree(&parent, &facts), Err(PathDenial::Denied.into()), "{directory}");
    }
    // What lies beside is free.
    for other in ["/r/conf/..data/other", "/r/store/other", "/r/store/deep"] {
        guard.check_own(tree.at(other).as_os_str().as_bytes(), Delete).unwrap();
    }
}

/// The kernel takes a `..` from where the link before it leads.
#[test]
fn a_place_is_protected_where_the_kernel_finds_it() {
    let tree = Tree::new();
    symlink("../r2", tree.at("/r/away")).unwrap();
    fs::write(tree.top.join("policy.json"), "{}").unwrap();
    let protected = Arc::new(Protected::new([tree.at("/r/away/../policy.json")]));
    let guard = PathGuard::new(PathRule::default(), &tree.top, &tree.top, protected);
    assert_eq!(check(&tree, &guard, &tree.top.join("policy.json").display().to_string()), Err(PathDenial::Denied));
}

#[test]
fn nothing_arrives_where_a_protected_place_is_to_lie_below() {
    let tree = Tree::new();
    let guard = guard(&tree, &["/r/new/state"]);
    let arrives = |path| guard.check(tree.at(path).as_os_str().as_bytes(), Write).unwrap().admit_arrival();
    assert_eq!(arrives("/r/new"), Err(PathDenial::Denied));
    assert_eq!(arrives("/r/new2"), Ok(()));
    assert_eq!(arrives("/r/new/other"), Ok(()));
}

#[test]
fn what_is_added_is_protected_in_guards_that_were_there_before() {
    let tree = Tree::new();
    fs::write(tree.at("/r/one"), "").unwrap();
    let protected = Arc::new(Protected::new([tree.at("/r/one")]));
    let guard = PathGuard::new(PathRule::default(), &tree.at("/r"), &tree.at("/r"), protected.clone());
    let denied = Err(PathDenial::Denied);
    let before = protected.add([tree.at("/r/one"), tree.at("/r/two")]);
    assert_eq!((check(&tree, &guard, "/r/one"), check(&tree, &guard, "/r/two")), (denied, denied));
    protected.restore(before);
    assert_eq!((check(&tree, &guard, "/r/one"), check(&tree, &guard, "/r/two")), (denied, Ok(())));
}

#[test]
fn links_that_are_led_elsewhere_protect_what_they_lead_to_now_and_did() {
    let tree = Tree::new();
    for version in ["/r/v1", "/r/v2"] {
        fs::create_dir(tree.at(version)).unwrap();
    }
    symlink("v1", tree.at("/r/data")).unwrap();
    let protected = Arc::new(Protected::new([tree.at("/r/data/p.json")]));
    let guard = PathGuard::new(PathRule::default(), &tree.at("/r"), &tree.at("/r"), protected.clone());
    fs::remove_file(tree.at("/r/data")).unwrap();
    symlink("v2", tree.at("/r/data")).unwrap();
    protected.refresh();
    for path in ["/r/v1/p.json", "/r/v2/p.json", "/r/data/p.json"] {
        assert_eq!(check(&tree, &guard, path), Err(PathDenial::Denied), "{path}");
    }
}

#[test]
fn nothing_is_protected_in_development() {
    let tree = Tree::new();
    let protected = Arc::new(Protected::nothing());
    let guard = PathGuard::new(PathRule::default(), &tree.at("/r"), &tree.at("/r"), protected.clone());
    let _ = protected.add([tree.at("/r/out")]);
    assert_eq!(check(&tree, &guard, "/r/out"), Ok(()));
}
