//! Listings (contract: file_ops §2).

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::harness::{Server, Setup};

fn list(server: &Server, path: &str, options: &[(&str, &str)]) -> Vec<Value> {
    let request = server.request("GET", "/files/list").query("path", server.base().join(path).to_str().unwrap());
    let request = options.iter().fold(request, |request, (name, value)| request.query(name, value));
    server.call(&request).ok()["entries"].as_array().unwrap().clone()
}

fn names(entries: &[Value]) -> Vec<&str> {
    let mut names: Vec<_> = entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Entries have these keys and no others; `type` knows two kinds.
#[test]
fn entries_have_their_keys() {
    let server = Setup::new().start();
    let base = server.base();
    fs::write(base.join("file"), "12345").unwrap();
    fs::write(base.join(".hidden"), "").unwrap();
    fs::create_dir(base.join("folder")).unwrap();
    symlink("file", base.join("link")).unwrap();
    symlink("folder", base.join("folder-link")).unwrap();
    symlink("nowhere", base.join("dangling")).unwrap();
    symlink("loop", base.join("loop")).unwrap();
    symlink("/etc", base.join("out")).unwrap();
    let entries = list(&server, "", &[]);
    assert_eq!(names(&entries), [".hidden", "dangling", "file", "folder", "folder-link", "link", "loop"]);
    for entry in &entries {
        let name = entry["name"].as_str().unwrap();
        let facts = fs::symlink_metadata(base.join(name)).unwrap();
        let keys: Vec<_> = entry.as_object().unwrap().keys().map(String::as_str).collect();
        let is_link = facts.is_symlink();
        match is_link {
            true => assert_eq!(keys, ["modified", "name", "size", "symlink", "target", "type"], "{entry}"),
            false => assert_eq!(keys, ["modified", "name", "size", "type"], "{entry}"),
        }
        assert_eq!(entry["type"], if name == "folder" { "directory" } else { "file" }, "{entry}");
        assert_eq!(entry["size"], facts.len(), "{entry}");
        if is_link {
            let target = fs::read_link(base.join(name)).unwrap();
            assert_eq!((&entry["symlink"], &entry["target"]), (&json!(true), &json!(target.to_str().unwrap())));
        }
        let modified = entry["modified"].as_str().unwrap();
        assert!(modified.ends_with("+00:00") && modified.as_bytes()[10] == b'T', "{modified}");
    }
}

/// Values of the options as text (contract: file_ops §1.2).
#[test]
fn options_are_read_leniently() {
    let server = Setup::new().start();
    fs::create_dir(server.base().join("folder")).unwrap();
    fs::write(server.base().join("folder/inner"), "").unwrap();
    fs::write(server.base().join("file"), "").unwrap();
    for (value, is_recursive) in [
        ("true", true),
        ("TRUE", true),
        ("Yes", true),
        ("1", true),
        ("on", false),
        ("false", false),
        ("0", false),
        ("2", false),
        ("", false),
        ("nonsense", false),
    ] {
        let count = list(&server, "", &[("recursive", value)]).len();
        assert_eq!(count, if is_recursive { 3 } else { 2 }, "recursive={value}");
    }
    for number in 0..20 {
        fs::write(server.base().join(format!("folder/{number}")), "").unwrap();
    }
    for (value, count) in [
        ("5", 5),
        (" 5 ", 5),
        ("+5", 5),
        ("1_0", 10),
        ("005", 5),
        ("0", 0),
        ("-1", 0),
        ("-99999999999999999999", 0),
        ("2.5", 21),
        ("abc", 21),
        ("5_", 21),
        ("_5", 21),
        ("1__0", 21),
        ("", 21),
        ("99999999999999999999", 21),
    ] {
        assert_eq!(list(&server, "folder", &[("max_entries", value)]).len(), count, "max_entries={value:?}");
    }
}

/// Nobody gets more than the policy says, and 1000 where it says nothing.
#[test]
fn entries_are_capped() {
    let server = Setup::new().start();
    for number in 0..1100 {
        fs::write(server.base().join(format!("{number}")), "").unwrap();
    }
    assert_eq!(list(&server, "", &[]).len(), 1000);
    assert_eq!(list(&server, "", &[("max_entries", "5000")]).len(), 1000);
    let capped = |limit: u32, options: &[(&str, &str)]| {
        let policy = json!({"endpoints": {"files_list": {"limits": {"max_entries": limit}}}});
        let wide = Setup::new().policy(&policy).env("ABX_SERVER_BASE_DIR", server.base()).start();
        let request = wide.request("GET", "/files/list").query("path", server.base().to_str().unwrap());
        let request = options.iter().fold(request, |request, (name, value)| request.query(name, value));
        wide.call(&request).ok()["entries"].as_array().unwrap().len()
    };
    assert_eq!(capped(1050, &[("max_entries", "5000")]), 1050);
    assert_eq!(capped(5000, &[("max_entries", "5000")]), 1100);
    assert_eq!(capped(5000, &[]), 1000, "the default of the parameter stays");
    assert_eq!(capped(7, &[]), 7);
}

/// Three levels where the policy says nothing; folders come right before what is in them.
#[test]
fn depth_is_capped_and_order_is_kept() {
    let server = Setup::new().start();
    fs::create_dir_all(server.base().join("1/2/3/4/5")).unwrap();
    assert_eq!(names(&list(&server, "", &[("recursive", "true")])), ["1", "2", "3"]);
    assert_eq!(names(&list(&server, "1/2", &[("recursive", "true")])), ["3", "4", "5"]);
    for name in ["a", "b", "c"] {
        fs::create_dir(server.base().join(name)).unwrap();
        fs::write(server.base().join(name).join(format!("{name}-file")), "").unwrap();
    }
    let entries = list(&server, "", &[("recursive", "true")]);
    let order: Vec<_> = entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    for name in ["a", "b", "c"] {
        let at = order.iter().position(|found| *found == name).unwrap();
        assert_eq!(order[at + 1], format!("{name}-file"), "{order:?}");
    }
    let policy = json!({"endpoints": {"files_list": {"limits": {"max_depth": 5}}}});
    let deep = Setup::new().policy(&policy).start();
    fs::create_dir_all(deep.base().join("1/2/3/4/5/6")).unwrap();
    assert_eq!(names(&list(&deep, "", &[("recursive", "true")])), ["1", "2", "3", "4", "5"]);
}

/// What a rule denies is not there, at any depth; a link is not walked into.
#[test]
fn a_listing_leaves_out_what_may_not_be_seen() {
    let policy = json!({"endpoints": {"files_*": {"paths": {"deny": ["*.pem", "secret"]}}}});
    let server = Setup::new().policy(&policy).start();
    for name in ["a.pem", "secret/x", "folder/b.pem", "folder/secret", "folder/seen", "seen"] {
        let path = server.base().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    symlink("secret", server.base().join("to-secret")).unwrap();
    symlink("folder", server.base().join("to-folder")).unwrap();
    let seen = list(&server, "", &[("recursive", "true")]);
    assert_eq!(names(&seen), ["folder", "seen", "seen", "to-folder"]);
}

#[test]
fn what_is_no_folder_has_no_entries() {
    let server = Setup::new().start();
    fs::write(server.base().join("file"), "").unwrap();
    for name in ["none", "file", "file/below"] {
        server.get("/files/list", server.base().join(name)).failed_as(404, "FileNotFoundError");
    }
}
