//! The tables of the path guard (`contract: guards §1`), row by row, with both ways of opening paths.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::tree::{Rule, Tree};
use abxd_guards::Opener;
use abxd_guards::path::Access::{self, Delete, Exec, Read, Write};

const OPENERS: [Opener; 2] = [Opener::OpenAt2, Opener::Components];

/// `Ok` with the real path, `Err` with the code, each in the contract's terms.
fn judge(tree: &Tree, rule: &Rule<'_>, input: &[u8], access: Access) -> [Result<String, &'static str>; 2] {
    OPENERS.map(|opener| {
        let judged = rule.guard(tree, opener).check(input, access);
        judged.map(|path| shown(tree, path.real())).map_err(|denial| denial.code())
    })
}

fn shown(tree: &Tree, path: &Path) -> String {
    match path.strip_prefix(&tree.top) {
        Ok(rest) => format!("/{}", rest.display()),
        Err(_) => path.display().to_string(),
    }
}

#[track_caller]
fn expect(tree: &Tree, rule: &Rule<'_>, input: &str, access: Access, expected: Result<&str, &'static str>) {
    let real = if input.starts_with('/') { tree.at(input) } else { input.into() };
    let expected = expected.map(str::to_owned);
    for got in judge(tree, rule, real.as_os_str().as_bytes(), access) {
        assert_eq!(got, expected, "{input}");
    }
}

const OUTSIDE: Result<&str, &str> = Err("path_not_allowed");
const LINK: Result<&str, &str> = Err("symlink_denied");
const DENIED: Result<&str, &str> = Err("path_denied");
const READ_ONLY: Result<&str, &str> = Err("read_only");
const INVALID: Result<&str, &str> = Err("invalid_path");

#[test]
fn rows_1_to_3_normalise_textually_and_stay_inside() {
    let tree = Tree::new();
    let rule = Rule::default();
    for (input, real) in [
        ("/r/out/a.txt", "/r/out/a.txt"),
        ("/r", "/r"),
        ("//r/out", "/r/out"),
        ("/r/./out/./a.txt", "/r/out/a.txt"),
        ("/r/out/a.txt/", "/r/out/a.txt"),
        ("/r/../r/out", "/r/out"),
        ("/r/missing/deeper", "/r/missing/deeper"),
        ("/r/out/a.txt/below", "/r/out/a.txt/below"),
    ] {
        expect(&tree, &rule, input, Read, Ok(real));
    }
    for input in ["/r2/x", "/etc/passwd", "/r/out/../../x", "/", "/no/such"] {
        expect(&tree, &rule, input, Read, OUTSIDE);
    }
}

#[test]
fn two_leading_slashes_are_one() {
    let tree = Tree::new();
    let input = format!("/{}", tree.at("/r/out").display());
    for got in judge(&tree, &Rule::default(), input.as_bytes(), Read) {
        assert_eq!(got, Ok("/r/out".to_owned()));
    }
}

#[test]
fn rows_4_to_8_relative_paths_start_at_the_first_root_or_the_working_directory() {
    let tree = Tree::new();
    expect(&tree, &Rule { cwd: "/r2", ..Rule::default() }, "x", Read, OUTSIDE);
    expect(&tree, &Rule { cwd: "/r", ..Rule::default() }, "out/a.txt", Read, Ok("/r/out/a.txt"));
    expect(&tree, &Rule { cwd: "/r", ..Rule::default() }, ".", Read, Ok("/r"));
    expect(&tree, &Rule { cwd: "/r", ..Rule::default() }, "~", Read, Ok("/r/~"));
    let one = Rule { allow: &["/r/out"], cwd: "/r2", ..Rule::default() };
    expect(&tree, &one, "a.txt", Read, Ok("/r/out/a.txt"));
    expect(&tree, &one, "../secret", Read, OUTSIDE);
    let two = Rule { allow: &["/r/out", "/r/secret"], ..Rule::default() };
    expect(&tree, &two, "s.pem", Read, Ok("/r/out/s.pem"));
    expect(&tree, &two, "/r/secret/s.pem", Read, Ok("/r/secret/s.pem"));
    let linked = Rule { allow: &["/rl"], ..Rule::default() };
    expect(&tree, &linked, "out/a.txt", Read, Ok("/r/out/a.txt"));
}

#[test]
fn rows_9_and_10_malformed_and_long_paths() {
    let tree = Tree::new();
    let rule = Rule::default();
    for input in ["", "a\0b", &"a".repeat(4097), &format!("/{}", "./".repeat(2048))] {
        expect(&tree, &rule, input, Read, INVALID);
    }
    expect(&tree, &rule, &format!("/{}", "a".repeat(4095)), Read, OUTSIDE);
    let inside = format!("/r/{}", "é".repeat(3000));
    expect(&tree, &rule, &inside, Read, Ok(&inside));
}

#[test]
fn a_link_is_found_although_the_path_behind_it_is_too_long_for_the_kernel() {
    let tree = Tree::new();
    expect(&tree, &Rule::default(), &format!("/r/out/etc/{}", "é".repeat(3000)), Read, OUTSIDE);
}

#[test]
fn rows_11_to_15_links_inside_a_root() {
    let tree = Tree::new();
    let within = Rule::default();
    let never = Rule { never: true, ..Rule::default() };
    expect(&tree, &within, "/r/out/in", Read, Ok("/r/out/a.txt"));
    expect(&tree, &never, "/r/out/in", Read, LINK);
    expect(&tree, &within, "/r/out/lnk/s.pem", Read, Ok("/r/secret/s.pem"));
    expect(&tree, &within, "/r/out/lnk/missing/x", Read, Ok("/r/secret/missing/x"));
    for rule in [&within, &never] {
        expect(&tree, rule, "/r/out/etc/passwd", Read, OUTSIDE);
        expect(&tree, rule, "/r/out/etc", Read, OUTSIDE);
        expect(&tree, rule, "/r/out/lnk/../a.txt", Read, Ok("/r/out/a.txt"));
    }
    expect(&tree, &within, "/r/out/loop/x", Read, Ok("/r/out/loop/x"));
    expect(&tree, &within, "/r/out/loop", Read, Ok("/r/out/loop"));
}

#[test]
fn dangling_links_are_followed_to_where_they_point() {
    let tree = Tree::new();
    symlink("nowhere/x", tree.at("/r/out/dangle")).unwrap();
    symlink("/no/such", tree.at("/r/out/out")).unwrap();
    expect(&tree, &Rule::default(), "/r/out/dangle", Read, Ok("/r/out/nowhere/x"));
    expect(&tree, &Rule::default(), "/r/out/dangle/y", Read, Ok("/r/out/nowhere/x/y"));
    expect(&tree, &Rule::default(), "/r/out/out", Read, OUTSIDE);
}

#[test]
fn parent_components_in_link_texts_go_up_from_the_real_directory() {
    let tree = Tree::new();
    fs::create_dir_all(tree.at("/r/deep/a/b")).unwrap();
    symlink("deep/a/b", tree.at("/r/short")).unwrap();
    symlink("short/../c", tree.at("/r/up")).unwrap();
    expect(&tree, &Rule::default(), "/r/up", Read, Ok("/r/deep/a/c"));
}

#[test]
fn loops_of_two_and_chains_beyond_the_kernels_limit_stay_inside() {
    let tree = Tree::new();
    symlink("two", tree.at("/r/one")).unwrap();
    symlink("one", tree.at("/r/two")).unwrap();
    expect(&tree, &Rule::default(), "/r/one/x", Read, Ok("/r/one/x"));
    symlink(tree.at("/r2"), tree.at("/r/c0")).unwrap();
    for number in 1..=60 {
        symlink(format!("c{}", number - 1), tree.at(&format!("/r/c{number}"))).unwrap();
    }
    expect(&tree, &Rule::default(), "/r/c30", Read, OUTSIDE);
    // Longer than the kernel follows: what is left is a link, which no open follows.
    let guard = Rule::default().guard(&tree, Opener::detect());
    let path = guard.check(tree.at("/r/c60").as_os_str().as_bytes(), Read).unwrap();
    assert!(path.is_loop());
    assert!(path.open_directory().is_err());
}

#[test]
fn rows_16_and_17_a_root_that_is_a_link() {
    let tree = Tree::new();
    let never = Rule { base: "/rl", never: true, ..Rule::default() };
    expect(&tree, &never, "/rl/out/a.txt", Read, Ok("/r/out/a.txt"));
    expect(&tree, &never, "/r/out/a.txt", Read, Ok("/r/out/a.txt"));
    expect(&tree, &never, "/rl/out/in", Read, LINK);
    expect(&tree, &never, "/rl", Read, Ok("/r"));
    expect(&tree, &Rule::default(), "/rl/out/a.txt", Read, Ok("/r/out/a.txt"));
    expect(&tree, &Rule { never: true, ..Rule::default() }, "/rl/out/a.txt", Read, LINK);
}

#[test]
fn rows_18_to_21_the_first_check_that_refuses_answers() {
    let tree = Tree::new();
    let rule = Rule { never: true, deny: &["*.pem"], ..Rule::default() };
    expect(&tree, &rule, "/r/out/lnk/s.pem", Read, LINK);
    let rule = Rule { read_only: true, deny: &["*.pem"], ..Rule::default() };
    expect(&tree, &rule, "/r/secret/s.pem", Write, DENIED);
    expect(&tree, &rule, "/etc/x", Write, OUTSIDE);
    for (access, expected) in
        [(Write, READ_ONLY), (Delete, READ_ONLY), (Read, Ok("/r/out/a.txt")), (Exec, Ok("/r/out/a.txt"))]
    {
        expect(&tree, &rule, "/r/out/a.txt", access, expected);
    }
}

#[test]
fn rows_22_to_24_the_systems_trees_are_always_denied() {
    let tree = Tree::new();
    let all = Rule { base: "/", ..Rule::default() };
    for input in ["/proc/self/environ", "/dev/null", "/sys/kernel", "/proc", "/proc/1/../self"] {
        expect(&tree, &all, input, Read, DENIED);
    }
    expect(&tree, &all, "/process/x", Read, Ok("/process/x"));
    symlink("/proc/self/mounts", tree.at("/r/mtab")).unwrap();
    expect(&tree, &all, "/r/mtab", Read, DENIED);
    symlink("/dev/null", tree.at("/r/null")).unwrap();
    expect(&tree, &all, "/r/null", Read, DENIED);
}

#[test]
fn row_25_names_that_are_not_utf8_are_judged_as_bytes() {
    let tree = Tree::new();
    let name = OsStr::from_bytes(b"bad\xff.txt");
    fs::write(tree.at("/r").join(name), "x").unwrap();
    let path = tree.at("/r").join(name);
    let denied = Rule { deny: &["*.txt"], ..Rule::default() };
    for opener in OPENERS {
        let input = path.as_os_str().as_bytes();
        assert_eq!(Rule::default().guard(&tree, opener).check(input, Read).unwrap().real(), path);
        assert_eq!(denied.guard(&tree, opener).check(input, Read).unwrap_err().code(), "path_denied");
    }
}

#[test]
fn deny_patterns_hit_the_path_and_its_ancestors() {
    let tree = Tree::new();
    let hit = [
        ("*.pem", "/a/b.pem"),
        ("*.pem", "/a/x.pem/y"),
        (".env", "/a/.env"),
        ("**/.env", "/.env"),
        ("**/.env", "/a/.env/b"),
        ("**/.env.*", "/a/.env.prod"),
        ("/srv/secret", "/srv/secret/x"),
        ("/srv/secret/", "/srv/secret"),
        ("/srv/*", "/srv/a"),
        ("secret/", "/a/secret/x"),
        ("a/b", "/x/a/b/c"),
        ("/", "/anything"),
        ("/a//b", "/a/b/c"),
        ("/a/../b", "/b"),
        ("./a", "/x/a"),
        ("*", "/x"),
        ("**", "/x/y"),
        ("/**", "/x"),
        ("**/", "/x"),
    ];
    for (pattern, path) in hit {
        expect(&tree, &Rule { base: "/", deny: &[pattern], ..Rule::default() }, path, Read, DENIED);
    }
    let missed = [
        (".env", "/a/.env.local"),
        ("**/.env", "/a/x.env"),
        ("/srv/secret", "/srv/secrets"),
        ("/srv/*", "/srv"),
        ("a/b", "/xa/b"),
        ("*.PEM", "/a/b.pem"),
    ];
    for (pattern, path) in missed {
        expect(&tree, &Rule { base: "/", deny: &[pattern], ..Rule::default() }, path, Read, Ok(path));
    }
}

#[test]
fn a_denied_name_is_denied_where_a_link_has_it_and_where_a_link_leads_to_it() {
    let tree = Tree::new();
    symlink("secret/s.pem", tree.at("/r/plain")).unwrap();
    symlink("out/a.txt", tree.at("/r/named.pem")).unwrap();
    let rule = Rule { deny: &["*.pem"], ..Rule::default() };
    expect(&tree, &rule, "/r/plain", Read, DENIED);
    expect(&tree, &rule, "/r/named.pem", Read, DENIED);
}

#[test]
fn roots_need_not_exist_and_may_come_and_change() {
    let tree = Tree::new();
    let rule = Rule { allow: &["/r/later"], ..Rule::default() };
    let guard = rule.guard(&tree, Opener::detect());
    let judge = |path: &str| {
        let judged = guard.check(tree.at(path).as_os_str().as_bytes(), Read);
        judged.map(|path| shown(&tree, path.real())).map_err(|denial| denial.code())
    };
    assert_eq!(judge("/r/later/x"), Ok("/r/later/x".to_owned()));
    fs::create_dir(tree.at("/r/later")).unwrap();
    symlink("../out", tree.at("/r/later/lnk")).unwrap();
    assert_eq!(judge("/r/later/lnk"), Err("path_not_allowed"));
    fs::rename(tree.at("/r/later"), tree.at("/r/moved")).unwrap();
    symlink("moved", tree.at("/r/later")).unwrap();
    assert_eq!(judge("/r/later/x"), Ok("/r/moved/x".to_owned()));
    assert_eq!(judge("/r/moved/x"), Ok("/r/moved/x".to_owned()));
    assert_eq!(judge("/r/out/x"), Err("path_not_allowed"));
}

#[test]
fn a_root_may_be_a_file() {
    let tree = Tree::new();
    let rule = Rule { allow: &["/r/out/a.txt"], ..Rule::default() };
    expect(&tree, &rule, "/r/out/a.txt", Read, Ok("/r/out/a.txt"));
    expect(&tree, &rule, "/r/out/in", Read, Ok("/r/out/a.txt"));
    expect(&tree, &rule, "/r/out/b.txt", Read, OUTSIDE);
    let guard = rule.guard(&tree, Opener::detect());
    let path = guard.check(tree.at("/r/out/a.txt").as_os_str().as_bytes(), Read).unwrap();
    assert_eq!(path.open_file().unwrap().1.size, 6);
}

#[test]
fn refusals_say_the_same_whether_the_path_exists_or_not() {
    let tree = Tree::new();
    let guard = Rule { deny: &["*.pem"], ..Rule::default() }.guard(&tree, Opener::detect());
    for (one, other) in [("/etc/passwd", "/etc/no-such"), ("/r/secret/s.pem", "/r/secret/none.pem")] {
        let refuse = |path: &str| guard.check(tree.at(path).as_os_str().as_bytes(), Read).unwrap_err().to_string();
        assert_eq!(refuse(one), refuse(other));
    }
}
