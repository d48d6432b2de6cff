//! Raw uploads: what is judged before the body, and what a body that goes wrong leaves (contract: file_ops §12.2).

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use crate::harness::{Request, Server, Setup};

fn raw(server: &Server, name: &str) -> Request {
    let request = server.request("POST", "/upload").header("Content-Type", "application/octet-stream");
    request.query("path", server.base().join(name).to_str().unwrap())
}

/// Every refusal that needs no body comes before it: the client has sent nothing but the head.
#[test]
fn refusals_come_before_the_body() {
    let policy = json!({"endpoints": {"files_upload": {
        "limits": {"max_bytes": 1000},
        "params": {"overwrite": false, "allow_extensions": [".txt", ""]},
        "paths": {"deny": ["hidden"]},
    }}});
    let server = Setup::new().policy(&policy).start();
    let base = server.base();
    fs::write(base.join("there.txt"), "old").unwrap();
    fs::create_dir(base.join("folder")).unwrap();
    symlink("/etc", base.join("out")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, base.join("fifo"), rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    for (name, length, status, code) in [
        ("../outside/x", 5, 403, "path_not_allowed"),
        ("out/x", 5, 403, "path_not_allowed"),
        ("hidden", 5, 403, "path_denied"),
        ("x.exe", 5, 403, "extension_not_allowed"),
        ("x.txt.EXE", 5, 403, "extension_not_allowed"),
        ("there.txt", 5, 409, "file_exists"),
        ("folder", 5, 409, "file_exists"),
        ("x.txt", 1001, 413, "payload_too_large"),
    ] {
        let mut connection = server.connect();
        connection.send(raw(&server, name).header("Content-Length", length.to_string()).head());
        let answer = connection.answer();
        answer.refused(status, code);
        if status == 409 {
            answer.failed_as(409, "FileExistsError");
        }
    }
    // Neither a folder nor a FIFO is written to; nothing waits for a reader.
    server.call(&raw(&server, "fifo").body("12345"));
    assert_eq!(fs::read(base.join("there.txt")).unwrap(), b"old");
    for name in ["fine.txt", "no-extension", ".dotfile", "UPPER.TXT"] {
        server.call(&raw(&server, name).body(vec![b'x'; 1000])).ok();
    }
}

#[test]
fn a_body_that_is_encoded_is_refused() {
    let server = Setup::new().start();
    for encoding in ["gzip", "deflate", "br", "identity, gzip"] {
        server
            .call(&raw(&server, "x").header("Content-Encoding", encoding).body("x"))
            .refused(400, "unsupported_encoding");
    }
    server.call(&raw(&server, "x").header("Content-Encoding", "identity").body("x")).ok();
}

/// That is said before its length is judged, whatever its form; elsewhere the header means nothing (contract: file_ops
/// §12.2, pipeline §5).
#[test]
fn a_body_that_is_encoded_is_refused_whatever_its_length() {
    let server = Setup::new().start();
    for kind in ["application/octet-stream", "application/json", "multipart/form-data; boundary=b"] {
        for length in [1_u64, 10 << 20, (10 << 20) + 1, 1 << 40] {
            let upload = server.request("POST", "/upload?path=x").header("Content-Type", kind);
            let upload = upload.header("Content-Encoding", "gzip").header("Content-Length", length.to_string());
            let mut connection = server.connect();
            connection.send(upload.head());
            connection.answer().refused(400, "unsupported_encoding");
        }
    }
    let body = json!({"path": server.base().join("made").to_str()});
    server.call(&server.request("POST", "/files/mkdir").header("Content-Encoding", "gzip").json(&body)).ok();
    let long = server.request("POST", "/files/mkdir").header("Content-Encoding", "gzip");
    let mut connection = server.connect();
    connection.send(long.header("Content-Length", "10485761").head());
    connection.answer().refused(413, "payload_too_large");
}

/// Parents are made; a file in their place is an error, and nothing is half done.
#[test]
fn parents_are_made_or_named() {
    let server = Setup::new().start();
    let base = server.base();
    server.call(&raw(&server, "a/b/c/file").body("x")).ok();
    assert_eq!(fs::read(base.join("a/b/c/file")).unwrap(), b"x");
    fs::write(base.join("plain"), "x").unwrap();
    server.call(&raw(&server, "plain/file").body("x")).failed_as(500, "FileExistsError");
    server.call(&raw(&server, "plain/a/file").body("x")).failed_as(500, "NotADirectoryError");
    server.call(&raw(&server, "a").body("x")).failed_as(500, "IsADirectoryError");
    let long = "n".repeat(300);
    server.call(&raw(&server, &long).body("x")).failed_as(500, "OSError");
    server.call(&raw(&server, &format!("{long}/file")).body("x")).failed_as(500, "OSError");
    assert_eq!(fs::read(base.join("plain")).unwrap(), b"x");
}

/// A body that ends too early leaves the old content, or nothing.
#[test]
fn a_body_that_ends_early_leaves_nothing() {
    let server = Setup::new().start();
    fs::write(server.base().join("old"), "old").unwrap();
    for name in ["old", "new", "folder/new"] {
        for sent in [0, 1, 99] {
            let mut connection = server.connect();
            connection.send(raw(&server, name).header("Content-Length", "100").head());
            connection.send(vec![b'x'; sent]);
            connection.end_writing();
            let (answer, end) = connection.rest_of_any_end();
            end.unwrap();
            let shown = String::from_utf8_lossy(&answer);
            assert!(answer.is_empty() || shown.starts_with("HTTP/1.1 400 "), "{name} {sent}: {shown}");
        }
    }
    assert_eq!(fs::read(server.base().join("old")).unwrap(), b"old");
    assert!(!server.base().join("new").exists() && !server.base().join("folder/new").exists());
    let left: Vec<_> = fs::read_dir(server.base().join("folder")).into_iter().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Who creates the file first has created it: of many at once exactly one succeeds.
#[test]
fn of_many_who_may_not_overwrite_one_succeeds() {
    let policy = json!({"endpoints": {"files_upload*": {"params": {"overwrite": false}}}});
    let server = Setup::new().policy(&policy).start();
    for round in 0..10 {
        let name = format!("{round}");
        let path = server.base().join(&name);
        let answers: Vec<_> = std::thread::scope(|scope| {
            let upload = |number: usize| {
                let (server, path) = (&server, &path);
                scope.spawn(move || match number % 2 {
                    0 => server.upload(path, format!("{number}")),
                    _ => {
                        let body = json!({"path": path.to_str(), "content_base64": "aGk="});
                        server.post("/files/upload-stream", &body)
                    }
                })
            };
            let threads: Vec<_> = (0..8).map(upload).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            answer.refused(409, "file_exists");
        }
    }
}

/// The default file limit, its variable, and a rule that outweighs it.
#[test]
fn the_size_of_a_file_is_limited() {
    let limit = |setup: Setup| {
        let server = setup.start();
        let upload = |size: usize| server.call(&raw(&server, "x").body(vec![b'x'; size]));
        upload(1000).ok();
        upload(1001).refused(413, "payload_too_large")["limit"].clone()
    };
    let rule = json!({"endpoints": {"files_upload": {"limits": {"max_bytes": 1000}}}});
    assert_eq!(limit(Setup::new().policy(&rule).env("ABX_MAX_UPLOAD_SIZE", "5")), 1000);
    assert_eq!(limit(Setup::new().env("ABX_MAX_UPLOAD_SIZE", "1000")), 1000);
    // What is no number is no limit.
    let server = Setup::new().env("ABX_MAX_UPLOAD_SIZE", "nonsense").start();
    server.call(&raw(&server, "x").body(vec![b'x'; 2_000_000])).ok();
}
