//! FIFOs, sockets and devices: seen, moved and removed, never opened (contract: file_ops §8, §9).

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use serde_json::json;

use crate::harness::{Server, Setup, is_root};

/// A server over one special file of each kind that may be made here.
fn stage() -> (Server, Vec<&'static str>, UnixListener) {
    let server = Setup::new().start();
    let base = server.base();
    mknodat(CWD, base.join("fifo"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let listener = UnixListener::bind(base.join("socket")).unwrap();
    let mut names = vec!["fifo", "socket"];
    if is_root() {
        // The null device, and a block device that is none.
        mknodat(CWD, base.join("null"), FileType::CharacterDevice, Mode::RWXU, makedev(1, 3)).unwrap();
        mknodat(CWD, base.join("block"), FileType::BlockDevice, Mode::RWXU, makedev(240, 77)).unwrap();
        names.extend(["null", "block"]);
    }
    (server, names, listener)
}

/// Nothing waits for another end that never comes.
#[test]
fn their_content_is_not_to_be_had() {
    let (server, names, _listener) = stage();
    for name in names {
        let path = server.base().join(name);
        for target in ["/download", "/files/download-stream"] {
            server.get(target, &path).failed_as(404, "FileNotFoundError");
        }
        let body = json!({"path": path.to_str(), "content_base64": "aGk="});
        for answer in
            [server.upload(&path, "hi"), server.post("/upload", &body), server.post("/files/upload-stream", &body)]
        {
            answer.refused(403, "path_denied");
        }
        server.get("/files/list", &path).failed_as(404, "FileNotFoundError");
        assert!(!fs::symlink_metadata(&path).unwrap().is_file(), "{name} is a file now");
    }
}

#[test]
fn they_are_seen_as_files() {
    let (server, names, _listener) = stage();
    let listed = server.get("/files/list", server.base()).ok();
    assert_eq!(listed["entries"].as_array().unwrap().len(), names.len());
    assert!(listed["entries"].as_array().unwrap().iter().all(|entry| entry["type"] == "file"));
    for name in names {
        let seen = server.get("/files/stat", server.base().join(name)).ok();
        assert_eq!((&seen["type"], &seen["exists"]), (&json!("file"), &json!(true)), "{name}");
    }
}

#[test]
fn they_are_moved_and_removed() {
    let (server, names, _listener) = stage();
    for name in names {
        let (here, there) = (server.base().join(name), server.base().join("folder").join(name));
        let kind = |path: &std::path::Path| {
            let kind = fs::symlink_metadata(path).unwrap().file_type();
            (kind.is_fifo(), kind.is_socket(), kind.is_char_device(), kind.is_block_device())
        };
        let before = kind(&here);
        server.post("/files/move", &json!({"source": here.to_str(), "destination": there.to_str()})).ok();
        assert_eq!(kind(&there), before);
        server.call(&server.request("DELETE", "/files").query("path", there.to_str().unwrap())).ok();
        assert!(!there.exists());
    }
    server.call(&server.request("DELETE", "/files").query("path", server.base().join("folder").to_str().unwrap())).ok();
}
