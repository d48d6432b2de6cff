//! Paths as arguments, over every endpoint that takes one (contract: file_ops §1.4, guards §1).

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

/// Every endpoint of the group that takes one path, called with a value of `path`.
fn all(server: &Server, path: &Value) -> Vec<(&'static str, Answer)> {
    let mut answers = Vec::new();
    if let Some(text) = path.as_str() {
        for target in ["/files/stat", "/files/list", "/download", "/files/download-stream"] {
            answers.push((target, server.call(&server.request("GET", target).query("path", text))));
        }
        answers.push(("DELETE", server.call(&server.request("DELETE", "/files").query("path", text))));
    }
    let body = json!({"path": path, "content_base64": "aGk=", "source": path, "destination": "new"});
    for target in ["/files/mkdir", "/files/upload-stream", "/upload", "/files/move"] {
        answers.push((target, server.post(target, &body)));
    }
    answers
}

/// Half a character in a path is no path; in any other place it makes the body malformed, as it does for every endpoint
/// (contract: file_ops §1.3, pipeline §5).
#[test]
fn half_a_character_is_no_text() {
    let server = Setup::new().start();
    let post = |target: &str, body: &str| server.call(&server.request("POST", target).body(body));
    for half in [r"\ud800", r"a\uDBFFb", r"\udc00\ud800"] {
        for (target, body) in [
            ("/files/mkdir", r#"{"path":"HALF"}"#),
            ("/files/search", r#"{"pattern":"*","path":"/HALF"}"#),
            ("/files/upload-stream", r#"{"content_base64":"aGk=","path":"HALF"}"#),
            ("/upload", r#"{"path":"HALF","content_base64":"aGk="}"#),
            ("/files/archive", r#"{"paths":["a","HALF"]}"#),
            ("/files/move", r#"{"source":"HALF","destination":"b"}"#),
            ("/files/move", r#"{"source":"a","destination":"HALF"}"#),
        ] {
            let answer = post(target, &body.replace("HALF", half));
            assert_eq!(answer.refused(400, "invalid_path")["type"], "ValueError", "{target} {half}");
        }
        for (target, body) in [
            ("/files/search", r#"{"path":"a","pattern":"HALF"}"#),
            ("/files/archive", r#"{"paths":["a"],"format":"HALF"}"#),
            ("/files/upload-stream", r#"{"path":"a","content_base64":"HALF"}"#),
            ("/upload", r#"{"path":"a","content_base64":"HALF"}"#),
            ("/files/mkdir", r#"{"path":"a","unknown":["HALF"]}"#),
            ("/files/mkdir", r#"{"path":"a","HALF":"path"}"#),
            ("/files/mkdir", r#"{"path_b64":"HALF"}"#),
            ("/capabilities/check", r#"{"endpoint":"HALF"}"#),
        ] {
            let answer = post(target, &body.replace("HALF", half));
            assert_eq!(answer.refused(400, "bad_body")["type"], "ValueError", "{target} {body} {half}");
        }
    }
    assert!(!server.base().join("a").exists());
}

/// The checks that need no disk, in every endpoint (decision D12).
#[test]
fn malformed_paths_are_refused_everywhere() {
    let server = Setup::new().start();
    let too_long = format!("/{}", "a".repeat(4096));
    for path in [json!(""), json!("a\0b"), json!(too_long)] {
        for (target, answer) in all(&server, &path) {
            let body = answer.refused(400, "invalid_path");
            assert_eq!(body["type"], "ValueError", "{target} {path}");
        }
    }
    for path in [json!(null), json!(5), json!(true), json!([]), json!({"a": 1})] {
        for (_, answer) in all(&server, &path) {
            answer.refused(400, "invalid_path");
        }
    }
    // 4096 characters are a path, whatever their bytes.
    let long = format!("/{}", "\u{e9}".repeat(4095));
    for (_, answer) in all(&server, &json!(long)) {
        answer.refused(403, "path_not_allowed");
    }
}

/// Whether something is there or not, a path outside has one answer.
#[test]
fn paths_outside_tell_nothing() {
    let server = Setup::new().start();
    let base = server.base();
    fs::write(server.outside().join("there"), "x").unwrap();
    fs::create_dir(server.place("base2")).unwrap();
    for path in [
        server.outside().join("there").to_str().unwrap().to_owned(),
        server.outside().join("not-there").to_str().unwrap().to_owned(),
        format!("{}2", base.display()),
        format!("{}/../outside/there", base.display()),
        format!("{}/x/../../outside", base.display()),
        "/".to_owned(),
        "/etc/passwd".to_owned(),
        "/proc/self/environ".to_owned(),
        "..".to_owned(),
        "../outside/there".to_owned(),
    ] {
        let mut texts = Vec::new();
        for (target, answer) in all(&server, &json!(path)) {
            let body = answer.refused(403, "path_not_allowed");
            assert_eq!(body["type"], "PolicyDenied", "{target} {path}");
            texts.push(body["error"].as_str().unwrap().to_owned());
        }
        assert!(texts.iter().all(|text| !text.contains("exist")), "{texts:?}");
    }
    assert_eq!(fs::read(server.outside().join("there")).unwrap(), b"x");
}

/// The kernel's own trees are denied, whatever the boundary is.
#[test]
fn kernel_trees_are_denied_below_a_root() {
    let server = Setup::new().policy(&json!({"base_dir": "/"})).start();
    for path in
        ["/proc", "/proc/self/environ", "/proc/1/root/etc", "/sys/kernel", "/dev/null", "/dev/shm/x", "//proc//self"]
    {
        for (target, answer) in all(&server, &json!(path)) {
            let body = answer.refused(403, "path_denied");
            assert_eq!(body["type"], "PolicyDenied", "{target} {path}");
        }
    }
    server.get("/files/stat", "/process/x").ok();
    let listed = server.get("/files/list", "/").ok();
    let names: Vec<_> = listed["entries"].as_array().unwrap().iter().map(|entry| entry["name"].clone()).collect();
    for name in ["proc", "sys", "dev"] {
        assert!(!names.contains(&json!(name)), "{name} is listed");
    }
}

/// How a path is written does not matter; `..` is textual.
#[test]
fn paths_are_normalised() {
    let server = Setup::new().start();
    let base = server.base();
    fs::create_dir_all(base.join("a/b")).unwrap();
    fs::write(base.join("a/file"), "x").unwrap();
    std::os::unix::fs::symlink("a/b", base.join("link")).unwrap();
    let file = base.join("a/file");
    for written in ["a/file", "./a/./file", "a//file", "a/file/", "a/b/../file", "none/../a/file", "link/../a/file"] {
        for path in [written.to_owned(), base.join(written).to_str().unwrap().to_owned()] {
            assert_eq!(server.get("/files/stat", &path).ok()["path"], file.to_str().unwrap(), "{path}");
        }
    }
    let doubled = format!("/{}", file.display());
    assert_eq!(server.get("/files/stat", doubled).ok()["path"], file.to_str().unwrap());
    assert_eq!(server.get("/files/stat", ".").ok()["path"], base.to_str().unwrap());
    assert_eq!(server.get("/files/stat", "~").ok()["exists"], false);
}

/// A relative path starts from the first allowed root where there is one, else from the working directory (D26).
#[test]
fn relative_paths_have_one_start() {
    let setup = Setup::new();
    let (one, two) = (setup.base().join("one"), setup.base().join("two"));
    for folder in [&one, &two] {
        fs::create_dir(folder).unwrap();
    }
    fs::write(two.join("only-in-two"), "x").unwrap();
    let policy = json!({"defaults": {"paths": {"allow": [one, two]}}});
    let server = setup.policy(&policy).start();
    assert_eq!(server.get("/files/stat", "x").ok()["path"], one.join("x").to_str().unwrap());
    assert_eq!(server.get("/files/stat", "only-in-two").ok()["exists"], false);
    server.get("/files/stat", "../two/only-in-two").ok();
    server.get("/files/stat", "../x").refused(403, "path_not_allowed");

    let elsewhere = Setup::new();
    let outside = elsewhere.outside();
    let server = elsewhere.in_dir(&outside).start();
    server.get("/files/stat", "x").refused(403, "path_not_allowed");
}

/// Order of the rules: outside, link, denied, for reading only.
#[test]
fn of_two_reasons_the_earlier_one_is_told() {
    let setup = Setup::new();
    let base = setup.base();
    fs::create_dir(base.join("real")).unwrap();
    std::os::unix::fs::symlink("real", base.join("link")).unwrap();
    let paths = json!({"deny": ["*.pem"], "read_only": true, "symlinks": "never"});
    let server = setup.policy(&json!({"endpoints": {"files_*": {"paths": paths}}})).start();
    for (path, code) in [
        ("../outside/x.pem", "path_not_allowed"),
        ("link/x.pem", "symlink_denied"),
        ("real/x.pem", "path_denied"),
        ("real/x", "read_only"),
    ] {
        server.upload(base.join(path), "x").refused(403, code);
    }
    server.get("/files/stat", base.join("real/x")).ok();
}
