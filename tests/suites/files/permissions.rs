//! What the operating system refuses, to a server without root's powers (contract: file_ops §1.1, §2, §6, §8).

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use serde_json::json;

use crate::harness::{Server, Setup, is_root};

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A server of another user, over folders that are its own: `locked` (nobody enters), `fixed` (nothing is made in it).
fn stage() -> Server {
    let server = Setup::new().with_nobody().start();
    let base = server.base();
    for name in ["locked/inner", "fixed/inner", "file"] {
        let path = base.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "old").unwrap();
        allow(&path, 0o644);
        if is_root() {
            let user = fs::metadata(&base).unwrap();
            let (uid, gid) = (std::os::unix::fs::MetadataExt::uid(&user), std::os::unix::fs::MetadataExt::gid(&user));
            chown(&path, Some(uid), Some(gid)).unwrap();
            chown(path.parent().unwrap(), Some(uid), Some(gid)).unwrap();
        }
    }
    allow(&base.join("locked"), 0o000);
    allow(&base.join("fixed"), 0o555);
    server
}

/// So that the folders can be removed by whoever runs the tests.
struct Unlocked(Server);

impl Drop for Unlocked {
    fn drop(&mut self) {
        for name in ["locked", "fixed"] {
            allow(&self.0.base().join(name), 0o755);
        }
    }
}

#[test]
fn what_may_not_be_read_is_said_so() {
    let stage = Unlocked(stage());
    let (server, base) = (&stage.0, stage.0.base());
    allow(&base.join("file"), 0o000);
    for target in ["/download", "/files/download-stream"] {
        server.get(target, base.join("file")).failed_as(500, "PermissionError");
        server.get(target, base.join("locked/inner")).failed(404);
    }
    assert_eq!(server.get("/files/stat", base.join("file")).ok()["permissions"], "000");
    assert_eq!(server.get("/files/stat", base.join("locked/inner")).ok()["exists"], false);
    assert_eq!(server.get("/files/list", base.join("locked")).ok(), json!({"entries": []}));
    server.get("/files/list", base.join("locked/inner")).failed(404);
    let listed = server
        .call(&server.request("GET", "/files/list").query("path", base.to_str().unwrap()).query("recursive", "true"));
    let mut names: Vec<_> = listed.ok()["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["file", "fixed", "inner", "locked"]);
}

#[test]
fn what_may_not_be_written_stays_as_it_is() {
    let stage = Unlocked(stage());
    let (server, base) = (&stage.0, stage.0.base());
    let post =
        |target: &str, path: &Path| server.post(target, &json!({"path": path.to_str(), "content_base64": "aGk="}));
    let rename = |from: &str, to: &str| {
        server.post("/files/move", &json!({"source": base.join(from).to_str(), "destination": base.join(to).to_str()}))
    };
    for name in ["fixed/new", "fixed/folder/new", "locked/new"] {
        let path = base.join(name);
        for answer in [
            server.upload(&path, "new"),
            post("/files/upload-stream", &path),
            post("/files/mkdir", &path),
            rename("file", name),
        ] {
            answer.failed_as(500, "PermissionError");
        }
    }
    rename("fixed/inner", "moved").failed_as(500, "PermissionError");
    assert!(!base.join("moved").exists(), "a copy is left");
    let delete =
        |name: &str| server.call(&server.request("DELETE", "/files").query("path", base.join(name).to_str().unwrap()));
    delete("fixed/inner").failed_as(500, "PermissionError");
    delete("fixed").failed_as(500, "PermissionError");
    assert_eq!(fs::read(base.join("fixed/inner")).unwrap(), b"old");
    assert_eq!(fs::read(base.join("file")).unwrap(), b"old");
    // A file that may be written is, though nothing can be made beside it.
    server.upload(base.join("fixed/inner"), "new").ok();
    assert_eq!(fs::read(base.join("fixed/inner")).unwrap(), b"new");
    allow(&base.join("fixed/inner"), 0o444);
    server.upload(base.join("fixed/inner"), "newer").failed_as(500, "PermissionError");
    assert_eq!(fs::read(base.join("fixed/inner")).unwrap(), b"new");
}

/// A permission that comes and goes is asked for each time.
#[test]
fn a_permission_that_is_lost_is_missed_at_once() {
    let stage = Unlocked(stage());
    let (server, base) = (&stage.0, stage.0.base());
    for _ in 0..3 {
        allow(&base.join("fixed"), 0o755);
        server.upload(base.join("fixed/new"), "new").ok();
        allow(&base.join("fixed"), 0o555);
        server.upload(base.join("fixed/other"), "new").failed_as(500, "PermissionError");
        allow(&base.join("fixed"), 0o000);
        server.get("/download", base.join("fixed/new")).failed(404);
    }
}

/// Modes of what the server makes are those of its umask.
#[test]
fn new_files_have_the_usual_modes() {
    let server = Setup::new().start();
    let base = server.base();
    server.upload(base.join("folder/file"), "x").ok();
    server.post("/files/mkdir", &json!({"path": base.join("made/deep").to_str()})).ok();
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let umask = status.lines().find_map(|line| line.strip_prefix("Umask:")).unwrap().trim();
    let umask = u32::from_str_radix(umask, 8).unwrap();
    for (name, mode) in [("folder/file", 0o666), ("folder", 0o777), ("made", 0o777), ("made/deep", 0o777)] {
        let found = fs::metadata(base.join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(found, mode & !umask, "{name}: {found:o}");
    }
}
