//! Searches (contract: file_ops §7).

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

fn search(server: &Server, pattern: &str, options: &Value) -> Answer {
    let mut body = json!({"path": server.base().to_str(), "pattern": pattern});
    body.as_object_mut().unwrap().extend(options.as_object().cloned().unwrap_or_default());
    server.post("/files/search", &body)
}

/// The paths that were found, below the boundary.
#[track_caller]
fn found(server: &Server, pattern: &str, options: &Value) -> BTreeSet<String> {
    let answer = search(server, pattern, options).ok();
    assert_eq!(answer["timed_out"], false);
    let base = server.base();
    let results = answer["results"].as_array().unwrap();
    let paths: BTreeSet<_> = results
        .iter()
        .map(|result| {
            let path = std::path::Path::new(result["path"].as_str().unwrap());
            assert_eq!(result["name"].as_str(), path.file_name().unwrap().to_str());
            assert_eq!(result.as_object().unwrap().len(), 2, "{result}");
            path.strip_prefix(&base).unwrap().to_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(paths.len(), results.len(), "found twice: {answer}");
    paths
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

fn files(server: &Server, names: &[&str]) {
    for name in names {
        let path = server.base().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
}

/// The glob of names: code points, no braces, no path, no escape (contract: file_ops §7).
#[test]
fn names_are_matched_by_the_contracts_glob() {
    let server = Setup::new().start();
    files(&server, &["a.py", "b.PY", ".hidden", "a[1].py", "a1.py", "d/ü.py", "d/{a,b}", "d/x\\y", "d/new\nline"]);
    for (pattern, names) in [
        ("*.py", &["a.py", "a[1].py", "a1.py", "d/ü.py"][..]),
        ("?.py", &["a.py", "d/ü.py"]),
        ("[!a].py", &["d/ü.py"]),
        ("a[0-9].py", &["a1.py"]),
        ("a[[]1].py", &["a[1].py"]),
        ("a[1", &[]),
        ("*.PY", &["b.PY"]),
        (".*", &[".hidden"]),
        ("{a,b}", &["d/{a,b}"]),
        ("x\\y", &["d/x\\y"]),
        ("new?line", &["d/new\nline"]),
        ("d/*", &[]),
        ("**", &["a.py", "b.PY", ".hidden", "a[1].py", "a1.py", "d/ü.py", "d/{a,b}", "d/x\\y", "d/new\nline"]),
    ] {
        let expected = names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(found(&server, pattern, &json!({})), expected, "{pattern}");
    }
}

/// What is a result: everything but directories and links to them; links that lead out are not even named.
#[test]
fn links_are_results_and_are_never_entered() {
    let server = Setup::new().start();
    files(&server, &["file", "folder/inner"]);
    let (base, outside) = (server.base(), server.outside());
    fs::write(outside.join("secret"), "").unwrap();
    for (name, target) in [("to-file", "file"), ("to-folder", "folder"), ("dangling", "nowhere"), ("loop", "loop")] {
        symlink(target, base.join(name)).unwrap();
    }
    symlink(&outside, base.join("out")).unwrap();
    symlink(outside.join("secret"), base.join("out-file")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, base.join("fifo"), 0o600.into()).unwrap();
    let expected = set(["file", "folder/inner", "to-file", "dangling", "loop", "fifo"]);
    assert_eq!(found(&server, "*", &json!({})), expected);
}

/// Depth and number: what the caller asks for, within what the policy allows.
#[test]
fn callers_stay_within_the_policys_limits() {
    let limits = json!({"max_depth": 3, "max_results": 4});
    let policy = json!({"endpoints": {"files_search": {"limits": limits}}});
    for (server, depth, results) in [(Setup::new().start(), 5, 6), (Setup::new().policy(&policy).start(), 3, 4)] {
        files(&server, &["1", "a/2", "a/b/3", "a/b/c/4", "a/b/c/d/5", "a/b/c/d/e/6"]);
        let count = |options: Value| found(&server, "*", &options).len();
        assert_eq!(count(json!({})), depth.min(results));
        assert_eq!(count(json!({"max_depth": 100})), results.min(if depth == 3 { 3 } else { 6 }));
        assert_eq!(count(json!({"max_depth": "2"})), 2);
        assert_eq!(count(json!({"max_depth": 2.9})), 2);
        assert_eq!(count(json!({"max_depth": true})), 1);
        for nothing in [0, -5] {
            assert_eq!(count(json!({"max_depth": nothing})), 0);
        }
        assert_eq!(count(json!({"max_results": 2})), 2);
    }
    let server = Setup::new().policy(&policy).start();
    files(&server, &["1", "2", "3", "4", "5", "6"]);
    assert_eq!(found(&server, "*", &json!({"max_results": 100})).len(), 4);
}

/// Time: what was found until then, and that there may be more.
#[test]
fn a_search_out_of_time_says_so() {
    let policy = json!({"endpoints": {"files_search": {"limits": {"timeout_seconds": 0.005}}}});
    let server = Setup::new().policy(&policy).start();
    for folder in 0..40 {
        let folder = server.base().join(folder.to_string());
        fs::create_dir(&folder).unwrap();
        for file in 0..500 {
            fs::write(folder.join(file.to_string()), "").unwrap();
        }
    }
    let answer = search(&server, "*", &json!({"max_results": 1_000_000})).ok();
    assert_eq!(answer["timed_out"], true);
    assert!(answer["results"].as_array().unwrap().len() < 20_000);
}

/// What is denied is passed over, as are folders that may not be entered by the policy, and unfinished uploads.
#[test]
fn what_may_not_be_seen_is_not_found() {
    let policy = json!({"defaults": {"paths": {"deny": ["*.key", "*/private"]}}});
    let server = Setup::new().policy(&policy).start();
    files(&server, &["a", "b.key", "private/c", "d/private/e", "d/f", ".abxd-tmp-0123456789abcdef"]);
    assert_eq!(found(&server, "*", &json!({})), set(["a", "d/f"]));
}

/// Numbers first, then the path, then the pattern; a folder has to be there.
#[test]
fn arguments_are_judged_in_order() {
    let server = Setup::new().start();
    files(&server, &["file"]);
    let post = |body: Value| server.post("/files/search", &body);
    let base = server.base();
    let file = base.join("file");
    for bad in [json!("x"), json!("1.5"), json!(""), json!(null), json!([]), json!({})] {
        let answer = post(json!({"pattern": "", "max_depth": bad}));
        assert_eq!(answer.failed_as(400, "ValueError").get("code"), None, "{bad}");
    }
    post(json!({"path": "", "pattern": ""})).refused(400, "invalid_path");
    post(json!({"path": "/etc"})).failed_as(400, "ValueError");
    for pattern in [json!(""), json!(5), json!(null)] {
        assert_eq!(post(json!({"path": base.to_str(), "pattern": pattern})).failed(400).get("code"), None);
    }
    post(json!({"path": "/etc", "pattern": "*"})).refused(403, "path_not_allowed");
    for path in [file, base.join("nope")] {
        post(json!({"path": path.to_str(), "pattern": "*"})).failed_as(404, "FileNotFoundError");
    }
}

/// Names that are no text are matched as their lossy text, and come with their bytes.
#[test]
fn names_that_are_no_text_have_a_twin() {
    let server = Setup::new().start();
    fs::write(server.base().join(OsStr::from_bytes(b"bad\xff.txt")), "").unwrap();
    let answer = search(&server, "bad?.txt", &json!({})).ok();
    let result = &answer["results"][0];
    assert_eq!((&result["name"], &result["name_b64"]), (&json!("bad\u{fffd}.txt"), &json!("YmFk/y50eHQ=")));
    assert!(result["path_b64"].is_string());
}
