//! B16: an empty file can't be transferred.

use std::fs;

use serde_json::json;

use crate::harness::{Server, Setup};

/// The answers that store 0 bytes at `name`, by every way that there is.
fn store(server: &Server, way: &str, name: &str) -> crate::harness::Answer {
    let path = server.base().join(name);
    let path = path.to_str().unwrap();
    let upload = server.request("POST", "/upload");
    let form = |before: &str, after: &str| {
        format!(
            "--x\r\n{before}Content-Disposition: form-data; name=\"file\"; filename=\"e\"\r\n\r\n\r\n{after}--x--\r\n"
        )
    };
    let request = match way {
        "raw, with a type" => upload.query("path", path).header("Content-Type", "application/octet-stream").body(""),
        "raw, without a length" => upload.query("path", path).header("Content-Type", "application/octet-stream"),
        "raw, without a type" => upload.query("path", path).body(""),
        "JSON" => upload.json(&json!({"path": path, "content_base64": ""})),
        "JSON, path in the query" => upload.query("path", path).json(&json!({"content_base64": ""})),
        "form, path first" => {
            let first = format!("Content-Disposition: form-data; name=\"path\"\r\n\r\n{path}\r\n--x\r\n");
            upload.header("Content-Type", "multipart/form-data; boundary=x").body(form(&first, ""))
        }
        "form, path last" => {
            let last = format!("--x\r\nContent-Disposition: form-data; name=\"path\"\r\n\r\n{path}\r\n");
            upload.header("Content-Type", "multipart/form-data; boundary=x").body(form("", &last))
        }
        "form, path in the query" => {
            upload.query("path", path).header("Content-Type", "multipart/form-data; boundary=x").body(form("", ""))
        }
        _ => unreachable!("{way}"),
    };
    server.call(&request)
}

const WAYS: [&str; 8] = [
    "raw, with a type",
    "raw, without a length",
    "raw, without a type",
    "JSON",
    "JSON, path in the query",
    "form, path first",
    "form, path last",
    "form, path in the query",
];

/// B16: every way of uploading stores an empty file, be the target new or full.
#[test]
fn an_empty_file_is_stored_by_every_way() {
    let server = Setup::new().start();
    for way in WAYS {
        for (name, before) in [("new", None), ("full", Some("was here"))] {
            let path = server.base().join(name);
            let _ = fs::remove_file(&path);
            if let Some(before) = before {
                fs::write(&path, before).unwrap();
            }
            let answer = store(&server, way, name);
            assert_eq!(answer.ok(), json!({"path": path.to_str().unwrap(), "bytes": 0}), "{way}");
            assert_eq!(fs::read(&path).unwrap(), b"", "{way}");
        }
    }
}

/// B16: where the contract says that an empty content is none (file_ops §8), it is refused and nothing is touched.
#[test]
fn upload_stream_refuses_an_empty_content() {
    let server = Setup::new().start();
    let path = server.base().join("full");
    fs::write(&path, "was here").unwrap();
    for content in [json!(""), json!(null), json!(5)] {
        let body = json!({"path": path.to_str().unwrap(), "content_base64": content});
        server.post("/files/upload-stream", &body).failed_as(400, "ValueError");
    }
    assert_eq!(fs::read(&path).unwrap(), b"was here");
}

/// B16: every way of downloading sends an empty file.
#[test]
fn an_empty_file_is_sent_by_every_way() {
    let server = Setup::new().start();
    let path = server.base().join("empty.txt");
    fs::write(&path, "").unwrap();
    let answer = server.get("/files/download-stream", &path);
    assert_eq!(answer.ok(), json!({"path": path.to_str().unwrap(), "content_base64": "", "bytes": 0}));

    // One connection: an empty body leaves it usable.
    let mut connection = server.connect();
    let request = server.request("GET", "/download").query("path", path.to_str().unwrap());
    for (range, status, content_range) in [
        (None, 200, None),
        (Some("bytes=-5"), 200, None),
        (Some("bytes=0-"), 416, Some("bytes */0")),
        (Some("bytes=0-0"), 416, Some("bytes */0")),
        (Some("bytes=-0"), 416, Some("bytes */0")),
        (None, 200, None),
    ] {
        let request = range.map_or_else(|| request.clone(), |range| request.clone().header("Range", range));
        let answer = connection.call(&request);
        assert_eq!(answer.status, status, "{range:?}: {answer:?}");
        assert_eq!(answer.header("content-range"), content_range, "{range:?}");
        if status == 200 {
            assert_eq!(answer.header("content-length"), Some("0"), "{range:?}");
            assert_eq!(answer.body, b"", "{range:?}");
        } else {
            assert_eq!(answer.failed(416)["code"], "range_not_satisfiable", "{range:?}");
        }
    }
}

/// B16: an empty file is no special case for the rest of the group.
#[test]
fn an_empty_file_is_seen_moved_and_deleted() {
    let server = Setup::new().start();
    let (here, there) = (server.base().join("here"), server.base().join("there"));
    fs::write(&here, "").unwrap();
    assert_eq!(server.get("/files/stat", &here).ok()["size"], 0);
    let listed = server.get("/files/list", server.base()).ok();
    assert_eq!((&listed["entries"][0]["name"], &listed["entries"][0]["size"]), (&json!("here"), &json!(0)));
    server.post("/files/move", &json!({"source": here.to_str(), "destination": there.to_str()})).ok();
    assert_eq!(fs::read(&there).unwrap(), b"");
    server.call(&server.request("DELETE", "/files").query("path", there.to_str().unwrap())).ok();
    assert!(!there.exists());
}
