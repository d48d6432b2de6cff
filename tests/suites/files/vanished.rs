//! What is there and then is not.

use std::fs::{self, File};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;

use crate::harness::{Server, Setup};

/// The boundary itself is gone: each request says so, and all works again when it is back.
#[test]
fn a_boundary_that_vanishes_is_missed_clearly() {
    let server = Setup::new().start();
    let (base, file) = (server.base(), server.base().join("file"));
    fs::write(&file, "x").unwrap();
    for _ in 0..3 {
        assert_eq!(server.get("/download", &file).body, b"x");
        fs::rename(&base, server.place("away")).unwrap();
        assert_eq!(server.get("/files/stat", &file).ok()["exists"], false);
        server.get("/files/list", &base).failed_as(404, "FileNotFoundError");
        server.get("/download", &file).failed_as(404, "FileNotFoundError");
        server.get("/files/download-stream", &file).failed_as(404, "FileNotFoundError");
        let delete = server.request("DELETE", "/files").query("path", file.to_str().unwrap());
        server.call(&delete).failed_as(404, "FileNotFoundError");
        let rename = json!({"source": file.to_str(), "destination": base.join("b").to_str()});
        server.post("/files/move", &rename).failed_as(404, "FileNotFoundError");
        fs::rename(server.place("away"), &base).unwrap();
    }
    // One that is not there yet is made by the first upload.
    fs::rename(&base, server.place("away")).unwrap();
    server.upload(&file, "new").ok();
    assert_eq!(fs::read(&file).unwrap(), b"new");
    // Another folder in its place is the boundary now.
    assert_eq!(server.get("/files/list", &base).ok()["entries"].as_array().unwrap().len(), 1);
}

/// Folders that come and go while they are listed, stat'ed and removed: no answer is an error of the server.
#[test]
fn folders_that_vanish_meanwhile_are_left_out() {
    let server = Setup::new().start();
    let base = server.base();
    fs::create_dir(base.join("stays")).unwrap();
    let done = AtomicBool::new(false);
    struct Finish<'a>(&'a AtomicBool);
    impl Drop for Finish<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for number in 0..20 {
                    fs::create_dir_all(base.join(format!("{number}/a/b"))).unwrap();
                }
                for number in 0..20 {
                    fs::remove_dir_all(base.join(format!("{number}"))).unwrap();
                }
            }
        });
        let _finish = Finish(&done);
        let mut connection = server.connect();
        let list =
            server.request("GET", "/files/list").query("path", base.to_str().unwrap()).query("recursive", "true");
        let inner = server.request("GET", "/files/list").query("path", base.join("7/a").to_str().unwrap());
        let stat = server.request("GET", "/files/stat").query("path", base.join("7/a/b").to_str().unwrap());
        for _ in 0..500 {
            let entries = connection.call(&list).ok()["entries"].clone();
            assert!(entries.as_array().unwrap().iter().any(|entry| entry["name"] == "stays"));
            let answer = connection.call(&inner);
            assert!(matches!(answer.status, 200 | 404), "{answer:?}");
            connection.call(&stat).ok();
        }
    });
}

const SIZE: u64 = 100 << 20;

/// Begin to download a file that is larger than what sockets hold.
fn begin(server: &Server, path: &std::path::Path) -> crate::harness::Connection {
    let mut connection = server.connect();
    connection.send(server.request("GET", "/download").query("path", path.to_str().unwrap()).bytes());
    let head = connection.head();
    assert_eq!((head.status, head.header("content-length")), (200, Some(&*SIZE.to_string())));
    connection
}

/// A file that gets shorter ends the connection early: nothing is made up.
#[test]
fn a_download_of_a_truncated_file_breaks_off() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    let file = File::create(&path).unwrap();
    file.set_len(SIZE).unwrap();
    let mut connection = begin(&server, &path);
    file.set_len(1000).unwrap();
    let (body, _) = connection.rest_of_any_end();
    assert!((body.len() as u64) < SIZE, "{} bytes", body.len());
    server.get("/files/stat", &path).ok();
}

/// A file that is replaced or removed while it is sent is sent to its end as it was.
#[test]
fn a_download_stays_with_its_file() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    for removed in [false, true] {
        File::create(&path).unwrap().set_len(SIZE).unwrap();
        let mut connection = begin(&server, &path);
        if removed {
            fs::remove_file(&path).unwrap();
        } else {
            server.upload(&path, "another file").ok();
        }
        let (body, end) = {
            let body = connection.exactly(usize::try_from(SIZE).unwrap());
            (body, connection.call(&server.request("GET", "/health")).status)
        };
        assert!(body.iter().all(|byte| *byte == 0), "another file's bytes");
        assert_eq!(end, 200, "the connection is out of step");
    }
}

/// A server that is killed in the middle of an answer leaves a client that knows (B12: no end is made up).
#[test]
fn a_killed_server_leaves_no_whole_answer() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    File::create(&path).unwrap().set_len(SIZE).unwrap();
    let mut connection = begin(&server, &path);
    server.signal(rustix::process::Signal::KILL);
    let (body, _) = connection.rest_of_any_end();
    assert!((body.len() as u64) < SIZE, "{} bytes", body.len());
}
