//! B20: a reader sees half a file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use crate::harness::{Server, Setup};

const SIZE: usize = 1_000_000;
const ALTERNATIONS: usize = 200;

/// Whether it is one of the two contents, whole.
fn is_whole(content: &[u8]) -> bool {
    content.len() == SIZE && content.iter().all(|byte| *byte == content[0]) && b"AB".contains(&content[0])
}

/// Write the two contents in turn while others read.
fn alternate(server: &Server, write: impl Fn(usize, Vec<u8>)) {
    let path = server.base().join("file");
    fs::write(&path, vec![b'A'; SIZE]).unwrap();
    let done = AtomicBool::new(false);
    // Also when an assertion ends the writer.
    struct Finish<'a>(&'a AtomicBool);
    impl Drop for Finish<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let read_on = |read: &(dyn Fn() -> Vec<u8> + Sync)| {
        while !done.load(Ordering::Relaxed) {
            let content = read();
            assert!(is_whole(&content), "{} bytes, a mix of both", content.len());
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| read_on(&|| fs::read(&path).unwrap()));
        scope.spawn(|| read_on(&|| server.get("/download", &path).body));
        scope.spawn(|| {
            read_on(&|| {
                let answer = server.get("/files/download-stream", &path).ok();
                BASE64_STANDARD.decode(answer["content_base64"].as_str().unwrap()).unwrap()
            });
        });
        let _finish = Finish(&done);
        for round in 0..ALTERNATIONS {
            write(round, vec![b"BA"[round % 2]; SIZE]);
        }
    });
    let names: Vec<_> = fs::read_dir(server.base()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["file"], "temporary files are left");
}

/// B20: raw and JSON uploads in turn.
#[test]
fn readers_see_the_whole_old_or_the_whole_new_file() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    alternate(&server, |round, content| {
        let answer = match round % 3 {
            0 => server.upload(&path, content),
            1 => {
                let body = json!({"path": path.to_str(), "content_base64": BASE64_STANDARD.encode(content)});
                server.post("/files/upload-stream", &body)
            }
            _ => {
                let body = json!({"path": path.to_str(), "content_base64": BASE64_STANDARD.encode(content)});
                server.post("/upload", &body)
            }
        };
        assert_eq!(answer.ok()["bytes"], SIZE);
    });
}

/// B20: moving a file onto another one is the same to a reader.
#[test]
fn readers_see_no_gap_when_a_file_is_replaced_by_a_move() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    let next = server.place("next");
    fs::create_dir(&next).unwrap();
    alternate(&server, |_, content| {
        // Made outside, so that nothing but the move is visible inside.
        let (made, source) = (next.join("made"), server.base().join("source"));
        fs::write(&made, content).unwrap();
        fs::rename(&made, &source).unwrap();
        server.post("/files/move", &json!({"source": source.to_str(), "destination": path.to_str()})).ok();
    });
}

/// B20: an upload over a file keeps its mode, whatever the way of writing.
#[test]
fn an_upload_keeps_the_mode_of_a_file() {
    let server = Setup::new().start();
    let path = server.base().join("script.sh");
    for mode in [0o755, 0o600, 0o444, 0o700] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        server.upload(&path, "new").ok();
        let body = json!({"path": path.to_str(), "content_base64": "bmV3ZXI="});
        server.post("/files/upload-stream", &body).ok();
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
        fs::remove_file(&path).unwrap();
    }
    // A file with two names is both of them afterwards.
    let other = server.base().join("other");
    fs::write(&path, "old").unwrap();
    fs::hard_link(&path, &other).unwrap();
    server.upload(&path, "new").ok();
    assert_eq!(fs::read(&other).unwrap(), b"new");
}

/// B20: a client that leaves in the middle of an upload leaves the old file, and nothing beside it.
#[test]
fn an_upload_that_breaks_off_changes_nothing() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    fs::write(&path, "old").unwrap();
    for content_type in ["application/octet-stream", "multipart/form-data; boundary=b"] {
        for name in ["file", "new"] {
            let target = server.base().join(name);
            let request = server.request("POST", "/upload").query("path", target.to_str().unwrap());
            let mut connection = server.connect();
            let head = request.header("Content-Type", content_type).header("Content-Length", "5000000").head();
            connection.send(head);
            connection.send("--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n");
            connection.send(vec![b'x'; 2_000_000]);
            connection.end_writing();
            let (_, end) = connection.rest_of_any_end();
            end.unwrap();
        }
    }
    let names: Vec<_> = fs::read_dir(server.base()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["file"]);
    assert_eq!(fs::read(path).unwrap(), b"old");
}
