//! File names that are not UTF-8, through every endpoint (decision D24, contract: file_ops §1.6).

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

const NAME: &[u8] = b"bad\xff \xe4\xbd.txt";
const LOSSY: &str = "bad\u{fffd} \u{fffd}.txt";

fn b64(path: impl AsRef<Path>) -> String {
    BASE64_STANDARD.encode(path.as_ref().as_os_str().as_bytes())
}

fn get(server: &Server, target: &str, path: &Path) -> Answer {
    server.call(&server.request("GET", target).query("path_b64", b64(path)))
}

/// An answer names a path by its lossy text, and by its bytes beside it.
#[track_caller]
fn names(answer: &Value, key: &str, path: &Path) {
    assert_eq!(answer[key], path.to_string_lossy().as_ref(), "{answer}");
    assert_eq!(answer[format!("{key}_b64")], b64(path), "{answer}");
}

#[test]
fn a_name_of_any_bytes_goes_through_every_endpoint() {
    let server = Setup::new().start();
    // A folder with such a name, too: every path below it is not UTF-8.
    let folder = server.base().join(OsStr::from_bytes(b"dir\xfe"));
    let file = folder.join(OsStr::from_bytes(NAME));
    names(&server.post("/files/mkdir", &json!({"path_b64": b64(&folder)})).ok(), "path", &folder);

    let upload = server.request("POST", "/upload");
    let form = |path: &str| {
        let part = |name: &str, content: &str| {
            format!("--b\r\nContent-Disposition: form-data; name={name}\r\n\r\n{content}\r\n")
        };
        part("path_b64", path) + &part("file", "form") + "--b--\r\n"
    };
    for (request, content) in [
        (upload.clone().query("path_b64", b64(&file)).body("raw"), "raw"),
        (
            upload.clone().json(&json!({"path_b64": b64(&file), "content_base64": BASE64_STANDARD.encode("json")})),
            "json",
        ),
        (upload.clone().header("Content-Type", "multipart/form-data; boundary=b").body(form(&b64(&file))), "form"),
        (
            server
                .request("POST", "/files/upload-stream")
                .json(&json!({"path_b64": b64(&file), "content_base64": BASE64_STANDARD.encode("stream")})),
            "stream",
        ),
    ] {
        let answer = server.call(&request).ok();
        names(&answer, "path", &file);
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
        assert_eq!(get(&server, "/download", &file).text(), content);
    }

    let seen = get(&server, "/files/stat", &file).ok();
    names(&seen, "path", &file);
    names(&seen, "name", Path::new(OsStr::from_bytes(NAME)));
    assert_eq!(seen["name"], LOSSY);
    let listed = get(&server, "/files/list", &folder).ok();
    names(&listed["entries"][0], "name", Path::new(OsStr::from_bytes(NAME)));
    let sent = get(&server, "/files/download-stream", &file).ok();
    names(&sent, "path", &file);
    let disposition = get(&server, "/download", &file).header("content-disposition").unwrap().to_owned();
    assert!(disposition.contains("filename=\"bad_ _.txt\""), "{disposition}");
    assert!(disposition.contains("filename*=UTF-8''bad%EF%BF%BD%20%EF%BF%BD.txt"), "{disposition}");

    let moved = server.base().join(OsStr::from_bytes(b"moved\xff"));
    let answer = server.post("/files/move", &json!({"source_b64": b64(&file), "destination_b64": b64(&moved)})).ok();
    names(&answer, "source", &file);
    names(&answer, "destination", &moved);
    let gone = server.call(&server.request("DELETE", "/files").query("path_b64", b64(&moved))).ok();
    names(&gone, "path", &moved);
    assert!(!moved.exists());
}

/// The twin stands beside a name only where the text is not enough, however the path was given.
#[test]
fn names_that_are_utf8_have_no_twin() {
    let server = Setup::new().start();
    let path = server.base().join("\u{e9} plain.txt");
    fs::write(&path, "x").unwrap();
    for answer in [
        get(&server, "/files/stat", &path).ok(),
        get(&server, "/files/list", &server.base()).ok()["entries"][0].clone(),
        get(&server, "/files/download-stream", &path).ok(),
        server.post("/files/upload-stream", &json!({"path_b64": b64(&path), "content_base64": "aGk="})).ok(),
    ] {
        assert!(answer.as_object().unwrap().keys().all(|key| !key.ends_with("_b64")), "{answer}");
    }
}

/// A link's text is bytes as well.
#[test]
fn a_target_has_its_twin() {
    let server = Setup::new().start();
    std::os::unix::fs::symlink(OsStr::from_bytes(NAME), server.base().join("link")).unwrap();
    let listed = server.get("/files/list", server.base()).ok();
    names(&listed["entries"][0], "target", Path::new(OsStr::from_bytes(NAME)));
    let seen = server.get("/files/stat", server.base().join("link")).ok();
    names(&seen, "target", Path::new(OsStr::from_bytes(NAME)));
    names(&seen, "path", &server.base().join(OsStr::from_bytes(NAME)));
}

/// The same checks hold on the bytes; what is no base64 is no path.
#[test]
fn twins_are_checked_like_any_path() {
    let server = Setup::new().start();
    let stat = |value: &str| server.call(&server.request("GET", "/files/stat").query("path_b64", value));
    stat(&b64("/etc/\u{ff}")).refused(403, "path_not_allowed");
    stat(&BASE64_STANDARD.encode(b"a\0\xff")).refused(400, "invalid_path");
    stat(&BASE64_STANDARD.encode([b"/".as_slice(), &[0xff; 4096]].concat())).refused(400, "invalid_path");
    stat(&BASE64_STANDARD.encode([b"/".as_slice(), &[0xff; 4095]].concat())).refused(403, "path_not_allowed");
    for text in ["nonsense!", "YQ", "YQ==YQ==", "Y Q==", "_-8="] {
        let body = stat(text).failed_as(400, "ValueError");
        assert_ne!(body["code"], "invalid_path", "{text}: {body}");
    }
    // Both are one too many, and none is none.
    let both = server.request("GET", "/files/stat").query("path", "x").query("path_b64", b64("x"));
    server.call(&both).failed_as(400, "ValueError");
    server.post("/files/mkdir", &json!({"path": "x", "path_b64": b64("x")})).failed_as(400, "ValueError");
    for value in [json!(5), json!(null), json!([])] {
        server.post("/files/mkdir", &json!({"path_b64": value})).failed_as(400, "ValueError");
    }
    // A raw byte in a query is not a name.
    let request = server.request("GET", "/files/stat?path=bad%FF");
    assert_eq!(server.call(&request).ok()["exists"], false);
}
