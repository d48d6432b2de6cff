//! Moves (contract: file_ops §6).

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

/// A tree with one of each kind: `file`, `other`, `folder/inner`, `taken/file`, `empty`.
fn stage(policy: &Value) -> Server {
    let server = Setup::new().policy(policy).start();
    for (name, content) in [("file", "file"), ("other", "other"), ("folder/inner", "inner"), ("taken/file", "taken")] {
        let path = server.base().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    fs::create_dir(server.base().join("empty")).unwrap();
    server
}

fn rename(server: &Server, source: &str, destination: &str) -> Answer {
    let path = |name: &str| server.base().join(name).to_str().unwrap().to_owned();
    server.post("/files/move", &json!({"source": path(source), "destination": path(destination)}))
}

fn read(server: &Server, name: &str) -> String {
    fs::read_to_string(server.base().join(name)).unwrap_or_else(|cause| format!("{cause}"))
}

#[test]
fn each_case_of_the_table() {
    for (source, destination, arrived, content) in [
        ("file", "new", "new", "file"),
        ("file", "a/b/new", "a/b/new", "file"),
        ("file", "empty", "empty/file", "file"),
        ("file", "other", "other", "file"),
        ("file", "file", "file", "file"),
        ("file", "./empty/../file", "file", "file"),
        ("folder", "new", "new/inner", "inner"),
        ("folder", "empty", "empty/folder/inner", "inner"),
        ("folder", "folder", "folder/inner", "inner"),
        ("folder/inner", "inner", "inner", "inner"),
    ] {
        let server = stage(&json!({}));
        let answer = rename(&server, source, destination).ok();
        assert_eq!(answer["source"], server.base().join(source).to_str().unwrap());
        assert_eq!(read(&server, arrived), content, "{source} to {destination}");
        if arrived != source && !arrived.starts_with(&format!("{source}/")) {
            assert!(!server.base().join(source).exists(), "{source} is still there");
        }
    }
    for (source, destination, status, kind) in [
        ("file", "taken", 500, "Error"),
        ("folder", "file", 500, "FileExistsError"),
        ("folder", "folder/inside", 500, "Error"),
        ("folder", "folder/a/b", 500, "Error"),
        ("file", "other/below", 500, "FileExistsError"),
        ("file", "other/a/below", 500, "NotADirectoryError"),
        ("none", "new", 404, "FileNotFoundError"),
    ] {
        let server = stage(&json!({}));
        rename(&server, source, destination).failed_as(status, kind);
        for (name, content) in
            [("file", "file"), ("other", "other"), ("folder/inner", "inner"), ("taken/file", "taken")]
        {
            assert_eq!(read(&server, name), content, "{source} to {destination}");
        }
    }
}

/// Arguments are looked at in their order, and the message names the field.
#[test]
fn refusals_come_in_order_and_name_the_field() {
    let server = stage(&json!({"endpoints": {"files_move": {"paths": {"deny": ["*.pem"]}}}}));
    let outside = server.outside();
    for (body, status, code, word) in [
        (json!({}), 400, "invalid_path", "source"),
        (json!({"source": "", "destination": 5}), 400, "invalid_path", "source"),
        (json!({"source": "x"}), 400, "invalid_path", "destination"),
        (json!({"source": outside, "destination": "/etc"}), 403, "path_not_allowed", "source"),
        // A refused destination comes before a source that is not there.
        (json!({"source": "none", "destination": outside}), 403, "path_not_allowed", "destination"),
        (json!({"source": "file", "destination": "x.pem"}), 403, "path_denied", "destination"),
        (json!({"source": "x.pem", "destination": "x"}), 403, "path_denied", "source"),
    ] {
        let error = server.post("/files/move", &body).refused(status, code)["error"].as_str().unwrap().to_owned();
        assert!(error.contains(word), "{body}: {error}");
    }
}

/// The place that a file arrives at is judged, not only the one that was asked for.
#[test]
fn the_name_inside_a_folder_is_judged_too() {
    let server = stage(&json!({"endpoints": {"files_move": {"paths": {"deny": ["empty/file"]}}}}));
    rename(&server, "file", "empty").refused(403, "path_denied");
    assert_eq!(read(&server, "file"), "file");
    assert!(!server.base().join("empty/file").exists());
}

/// A root, and a folder that holds what may not be touched, stay where they are.
#[test]
fn protected_trees_are_not_moved() {
    let server = stage(&json!({"endpoints": {"files_move": {"paths": {"deny": ["inner"]}}}}));
    rename(&server, "folder", "new").refused(403, "path_denied");
    rename(&server, "", "new").refused(403, "path_denied");
    rename(&server, ".", "empty").refused(403, "path_denied");
    assert_eq!(read(&server, "folder/inner"), "inner");
    rename(&server, "taken", "new").ok();
}

/// Reading is not writing: a rule for reading only refuses both ends.
#[test]
fn nothing_moves_where_a_rule_is_for_reading() {
    let server = stage(&json!({"endpoints": {"files_*": {"paths": {"read_only": true}}}}));
    let error = rename(&server, "file", "new").refused(403, "read_only");
    assert!(error["error"].as_str().unwrap().contains("source"), "{error}");
    server.upload(server.base().join("new"), "x").refused(403, "read_only");
    server.get("/files/stat", server.base().join("file")).ok();
}
