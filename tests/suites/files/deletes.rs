//! Deletes (contract: file_ops §5).

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

fn stage(policy: &Value) -> Server {
    let server = Setup::new().policy(policy).start();
    for name in ["file", "tree/a/b/c", "tree/a/d", "tree/e"] {
        let path = server.base().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    server
}

fn delete(server: &Server, name: &str) -> Answer {
    server.call(&server.request("DELETE", "/files").query("path", server.base().join(name).to_str().unwrap()))
}

#[test]
fn files_and_trees_go() {
    let server = stage(&json!({}));
    for name in ["file", "tree/a", "tree"] {
        let path = server.base().join(name);
        assert_eq!(delete(&server, name).ok(), json!({"path": path.to_str().unwrap(), "deleted": true}));
        assert!(!path.exists());
        delete(&server, name).failed_as(404, "FileNotFoundError");
    }
}

/// The root of a boundary stays, however it is written.
#[test]
fn a_root_stays() {
    let server = stage(&json!({}));
    for name in ["", ".", "tree/..", "tree//..//", "tree/a/../.."] {
        delete(&server, name).refused(403, "path_denied");
    }
    delete(&server, "..").refused(403, "path_not_allowed");
    assert!(server.base().join("tree/a/b/c").exists());
    let allowed = server.base().join("tree");
    let setup = Setup::new().policy(&json!({"defaults": {"paths": {"allow": [allowed]}}}));
    let narrow = setup.start();
    let request = |path: &std::path::Path| narrow.request("DELETE", "/files").query("path", path.to_str().unwrap());
    narrow.call(&request(&allowed)).refused(403, "path_denied");
    narrow.call(&request(&allowed.join("a"))).ok();
}

/// A tree that holds what may not be touched stays as a whole.
#[test]
fn a_tree_with_something_denied_stays_whole() {
    let server = stage(&json!({"endpoints": {"files_delete": {"paths": {"deny": ["c"]}}}}));
    delete(&server, "tree").refused(403, "path_denied");
    delete(&server, "tree/a").refused(403, "path_denied");
    for name in ["tree/a/b/c", "tree/a/d", "tree/e"] {
        assert!(server.base().join(name).exists(), "{name}");
    }
    delete(&server, "tree/a/d").ok();
}

/// Parameters come from the query; a body has to be an object, and says nothing.
#[test]
fn a_body_names_nothing() {
    let server = stage(&json!({}));
    let path = server.base().join("file");
    let request = server.request("DELETE", "/files");
    server.call(&request.clone().json(&json!({"path": path.to_str()}))).refused(400, "invalid_path");
    server.call(&request.clone().body("[]")).refused(400, "bad_body");
    assert!(path.exists());
    let other = request.query("path", path.to_str().unwrap()).json(&json!({"path": "/etc"}));
    server.call(&other).ok();
    assert!(!path.exists());
}
