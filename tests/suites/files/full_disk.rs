//! A disk that is full: a clear error on that request, and nothing half-written.

use std::fs;
use std::path::PathBuf;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use crate::harness::{Answer, Server, Setup};

const BIG: usize = 3 << 20;

/// A server whose folder `small` is a file system of 2 MiB, seen by it alone.
fn stage(options: &str) -> Server {
    let setup = Setup::new();
    let small = setup.base().join("small");
    fs::create_dir(&small).unwrap();
    let script = format!("mount -t tmpfs -o {options} tmpfs '{}' && exec \"$@\"", small.display());
    let words = ["unshare", "--mount", "sh", "-c", &script, "sh"];
    let permitted = std::process::Command::new(words[0]).args(&words[1..]).arg("true").output();
    let permitted = permitted.is_ok_and(|output| output.status.success());
    assert!(permitted, "this test needs `unshare --mount` and mount, which take root or CAP_SYS_ADMIN");
    let limits = json!({"defaults": {"limits": {"max_request_bytes": "64MiB"}}});
    setup.policy(&limits).under(words).start()
}

fn at(server: &Server, name: &str) -> PathBuf {
    server.base().join("small").join(name)
}

/// Store by each way.
fn store(server: &Server, way: usize, name: &str, content: &[u8]) -> Answer {
    let path = at(server, name);
    let encoded = || json!({"path": path.to_str(), "content_base64": BASE64_STANDARD.encode(content)});
    match way {
        0 => server.upload(&path, content),
        1 => server.post("/upload", &encoded()),
        2 => server.post("/files/upload-stream", &encoded()),
        _ => {
            let head = b"--b\r\nContent-Disposition: form-data; name=file\r\n\r\n";
            let form = [head.as_slice(), content, b"\r\n--b--\r\n"].concat();
            let request = server.request("POST", "/upload").query("path", path.to_str().unwrap());
            server.call(&request.header("Content-Type", "multipart/form-data; boundary=b").body(form))
        }
    }
}

fn names(server: &Server) -> Vec<String> {
    let listed = server.get("/files/list", at(server, "")).ok();
    let names = listed["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn an_upload_that_does_not_fit_leaves_the_old_file_and_no_new_one() {
    let server = stage("size=2m");
    store(&server, 0, "old", b"old").ok();
    for way in 0..4 {
        for name in ["old", "new"] {
            let body = store(&server, way, name, &vec![b'x'; BIG]).failed_as(500, "OSError");
            assert!(!body["error"].as_str().unwrap().contains(server.base().to_str().unwrap()), "{body}");
            assert_eq!(names(&server), ["old"], "{way} {name}");
            assert_eq!(server.get("/download", at(&server, "old")).body, b"old", "{way} {name}");
        }
        // The room is there again.
        store(&server, way, "fits", &vec![b'x'; 1 << 20]).ok();
        server.call(&server.request("DELETE", "/files").query("path", at(&server, "fits").to_str().unwrap())).ok();
    }
}

/// From one file system to another a move is a copy; one that does not fit leaves the source and no copy.
#[test]
fn a_move_that_does_not_fit_leaves_the_source() {
    let server = stage("size=2m");
    let source = server.base().join("source");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("a"), vec![b'a'; 1 << 20]).unwrap();
    fs::write(source.join("b"), vec![b'b'; BIG]).unwrap();
    for (from, to) in [(source.join("b"), at(&server, "b")), (source.clone(), at(&server, "tree"))] {
        server
            .post("/files/move", &json!({"source": from.to_str(), "destination": to.to_str()}))
            .failed_as(500, "OSError");
        assert_eq!(names(&server), [] as [&str; 0]);
        assert_eq!(fs::read(source.join("b")).unwrap().len(), BIG);
    }
    let fits = json!({"source": source.join("a").to_str(), "destination": at(&server, "a").to_str()});
    server.post("/files/move", &fits).ok();
    assert!(!source.join("a").exists());
}

/// No room for another name.
#[test]
fn what_cannot_be_made_is_said_so() {
    let server = stage("size=2m,nr_inodes=4");
    let mkdir = |name: &str| server.post("/files/mkdir", &json!({"path": at(&server, name).to_str()}));
    let failed = (0..10).map(|number| mkdir(&number.to_string())).find(|answer| answer.status != 200).unwrap();
    failed.failed_as(500, "OSError");
    store(&server, 0, "file", b"x").failed_as(500, "OSError");
    mkdir("a/b/c").failed_as(500, "OSError");
    server.get("/files/stat", at(&server, "file")).ok();
}
