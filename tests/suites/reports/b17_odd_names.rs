//! B17: files with odd names can't be transferred.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use crate::harness::packed::{Member, members};
use crate::harness::{Answer, Events, Server, Setup};

/// Everything that quoting, escaping and encoding stumble over.
const NAMES: [&str; 8] = [
    "sp ace \u{1f923} \u{fc}'\"$(x)#?&%.txt",
    "%41%2e%2e.txt",
    "a+b=c;d.txt",
    "-rf",
    " leading and trailing ",
    "new\nline\ttab.txt",
    "back\\slash\".txt",
    "e\u{301} and \u{e9}, \u{4f60}\u{597d}, \u{202e}txt",
];

const CONTENT: &[u8] = b"the content\n";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Store by one way.
fn store(server: &Server, way: usize, path: &str) -> Answer {
    let upload = server.request("POST", "/upload");
    let encoded = json!({"path": path, "content_base64": BASE64_STANDARD.encode(CONTENT)});
    match way {
        0 => server.upload(path, CONTENT),
        1 => server.call(&upload.json(&encoded)),
        2 => server.post("/files/upload-stream", &encoded),
        _ => {
            let part = |name: &str, content: &str| {
                format!("--bound\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{content}\r\n")
            };
            let content = String::from_utf8(CONTENT.to_vec()).unwrap();
            let form = part("path", path) + &part("file", &content) + "--bound--\r\n";
            server.call(&upload.header("Content-Type", "multipart/form-data; boundary=bound").body(form))
        }
    }
}

/// A search finds it, by a pattern that means it and nothing else.
#[track_caller]
fn found(server: &Server, folder: &Path, name: &str) {
    let pattern: String = name.chars().map(|char| if "*?[".contains(char) { '?' } else { char }).collect();
    let answer = server.post("/files/search", &json!({"path": text(folder), "pattern": pattern})).ok();
    let result = json!({"name": name, "path": text(&folder.join(name))});
    assert_eq!(answer, json!({"results": [result], "timed_out": false}));
}

/// An archive of its folder, and one of itself, hold it under its name.
#[track_caller]
fn packed(server: &Server, folder: &Path, name: &str) {
    for format in ["tar.gz", "zip"] {
        for (path, member) in [(folder.to_owned(), format!("{name}/{name}")), (folder.join(name), name.to_owned())] {
            let body = json!({"paths": [text(&path)], "format": format});
            let members = members(&server.post("/files/archive", &body).ok());
            assert_eq!(members, [(member.into_bytes(), Member::file(CONTENT))].into(), "{format} {name:?}");
        }
    }
}

/// B17: a watch names them as they are.
#[test]
fn odd_names_are_told_by_a_watch() {
    let server = Setup::new().start();
    for folder in NAMES {
        let folder = server.base().join(folder);
        fs::create_dir(&folder).unwrap();
        let mut events = Events::open(&server, &server.request("GET", "/files/watch").query("path", text(&folder)));
        assert_eq!(events.event(), Some(("ready".to_owned(), json!({"path": text(&folder)}))));
        for name in NAMES {
            fs::create_dir(folder.join(name)).unwrap();
            let told = json!({"type": "created", "path": text(&folder.join(name)), "is_dir": true});
            assert_eq!(events.event(), Some(("change".to_owned(), told)));
        }
    }
}

/// B17: every name goes through every files endpoint and comes back as it was.
#[test]
fn odd_names_round_trip_through_every_endpoint() {
    let server = Setup::new().start();
    for name in NAMES {
        for way in 0..4 {
            // A folder with the name, too.
            let folder = server.base().join(format!("{way}")).join(name);
            let path = folder.join(name);
            assert_eq!(server.post("/files/mkdir", &json!({"path": text(&folder)})).ok()["path"], text(&folder));
            assert_eq!(store(&server, way, text(&path)).ok()["path"], text(&path), "{way}");
            assert_eq!(fs::read(&path).unwrap(), CONTENT, "{way} {name:?}");

            let seen = server.get("/files/stat", &path).ok();
            assert_eq!((&seen["name"], &seen["path"]), (&json!(name), &json!(text(&path))));
            let listed = server.get("/files/list", &folder).ok();
            assert_eq!(listed["entries"].as_array().unwrap().len(), 1);
            assert_eq!(listed["entries"][0]["name"], name);

            assert_eq!(server.get("/download", &path).body, CONTENT, "{name:?}");
            let sent = server.get("/files/download-stream", &path).ok();
            assert_eq!(sent["path"], text(&path));
            assert_eq!(sent["content_base64"], BASE64_STANDARD.encode(CONTENT));

            found(&server, &folder, name);
            packed(&server, &folder, name);

            let moved = folder.with_extension("moved");
            let body = json!({"source": text(&folder), "destination": text(&moved)});
            assert_eq!(server.post("/files/move", &body).ok(), body);
            let gone = server.call(&server.request("DELETE", "/files").query("path", text(&moved))).ok();
            assert_eq!(gone, json!({"path": text(&moved), "deleted": true}));
            assert!(!moved.exists() && !folder.exists());
        }
    }
}

/// B17: a form's file name is used where the path is a folder, and names one entry of it only.
#[test]
fn a_forms_file_name_is_one_entry_of_the_folder() {
    let server = Setup::new().start();
    let upload = |disposition: &str| {
        let form =
            format!("--b\r\nContent-Disposition: form-data; name=\"file\"; {disposition}\r\n\r\nhi\r\n--b--\r\n");
        let request = server.request("POST", "/upload").query("path", text(&server.base()));
        server.call(&request.header("Content-Type", "multipart/form-data; boundary=b").body(form))
    };
    for (disposition, name) in [
        ("filename=\"sp ace \u{1f923} \u{fc}'$(x)#?&%.txt\"", "sp ace \u{1f923} \u{fc}'$(x)#?&%.txt"),
        (r#"filename="qu\"oted.txt""#, "qu\"oted.txt"),
        ("filename=token.txt", "token.txt"),
        ("filename=\"one.txt\"; filename*=UTF-8''two.txt", "one.txt"),
    ] {
        let path = server.base().join(name);
        assert_eq!(upload(disposition).ok()["path"], text(&path), "{disposition}");
        assert_eq!(fs::read(path).unwrap(), b"hi");
    }
    for disposition in ["filename=\"\"", "filename=\".\"", "filename=\"..\"", "filename=\"../x\"", "filename=\"a/b\""] {
        upload(disposition).refused(400, "invalid_path");
    }
}

/// B17: what a browser saves a download as (contract: file_ops §13.2, RFC 5987).
#[test]
fn a_download_says_its_name() {
    let server = Setup::new().start();
    for (name, disposition) in [
        ("plain.txt", r#"attachment; filename="plain.txt""#),
        (
            NAMES[0],
            concat!(
                r#"attachment; filename="sp ace _ _'_$(x)#?&%.txt"; filename*=UTF-8''sp%20ace%20%F0%9F%A4%A3%20"#,
                "%C3%BC%27%22$%28x%29#%3F&%25.txt"
            ),
        ),
        ("a\r\nSet-Cookie: b", r#"attachment; filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b"#),
        ("back\\slash", r#"attachment; filename="back_slash"; filename*=UTF-8''back%5Cslash"#),
    ] {
        let path = server.base().join(name);
        fs::write(&path, CONTENT).unwrap();
        let answer = server.get("/download", &path);
        assert_eq!(answer.header("content-disposition"), Some(disposition), "{name:?}");
        assert_eq!(answer.header("set-cookie"), None);
    }
}
