//! B18: somebody swaps what is under a path between the server's check and its use.
//!
//! Whatever the answers are, nothing outside may be seen, made, changed or removed. `ABXD_ATTACK_ROUNDS` says how many
//! times each operation is tried (400 by default).

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use crate::harness::{Answer, Connection, Request, Server, Setup};

/// In everything that is outside, and in nothing inside.
const MARK: &str = "OUTSIDE";

fn rounds() -> usize {
    std::env::var("ABXD_ATTACK_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

/// All that can be told of the files below a folder, but not when they were read.
fn picture(folder: &Path) -> BTreeMap<PathBuf, (u64, u32, [i64; 4], Vec<u8>)> {
    let mut seen = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        let facts = fs::symlink_metadata(&path).unwrap();
        let mut content = Vec::new();
        if facts.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            content = fs::read(&path).unwrap();
        }
        let times = [facts.mtime(), facts.mtime_nsec(), facts.ctime(), facts.ctime_nsec()];
        seen.insert(path, (facts.ino(), facts.mode(), times, content));
    }
    seen
}

/// Somebody who swaps, until it is dropped.
struct Attacker<'scope> {
    done: &'scope AtomicBool,
}

impl<'scope> Attacker<'scope> {
    fn start<'env>(
        scope: &'scope thread::Scope<'scope, 'env>,
        done: &'scope AtomicBool,
        swap: impl Fn(usize) + Send + 'scope,
    ) -> Self {
        scope.spawn(move || (0..).take_while(|_| !done.load(Ordering::Relaxed)).for_each(swap));
        Self { done }
    }
}

impl Drop for Attacker<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Every operation on a file `f` in a folder `parent`, over and over. How many were done. Each answer is what the moment
/// deserves: done inside, refused, or not there; none is an error of the server.
fn operate(server: &Server, parent: &Path) -> usize {
    let mut connection = server.connect();
    let path = |name: &str| parent.join(name).to_str().unwrap().to_owned();
    let get = |target: &str, name: &str| server.request("GET", target).query("path", path(name));
    let post = |target: &str, body: serde_json::Value| server.request("POST", target).json(&body);
    let operations: Vec<Request> = vec![
        get("/files/stat", "f"),
        get("/files/list", ""),
        get("/files/list", "").query("recursive", "true"),
        get("/download", "f"),
        get("/files/download-stream", "f"),
        post("/files/upload-stream", json!({"path": path("f"), "content_base64": "aW5zaWRl"})),
        server.request("POST", "/upload").query("path", path("f")).body("inside"),
        server.request("POST", "/upload").query("path", path("new/deep/f")).body("inside"),
        post("/files/mkdir", json!({"path": path("made/deep")})),
        post("/files/move", json!({"source": path("f"), "destination": path("g")})),
        post("/files/move", json!({"source": path("g"), "destination": path("f")})),
        server.request("DELETE", "/files").query("path", path("new")),
        server.request("DELETE", "/files").query("path", path("made")),
        server.request("DELETE", "/files").query("path", path("victim")),
        server.request("POST", "/upload").query("path", path("victim/f")).body("inside"),
    ];
    let mut done = 0;
    for round in 0..rounds() {
        for operation in &operations {
            let answer = call(server, &mut connection, operation);
            assert!(!answer.text().contains(MARK), "round {round}: {answer:?}");
            assert!(matches!(answer.status, 200 | 403 | 404), "round {round}, {operation:?}: {answer:?}");
            done += usize::from(answer.status == 200);
        }
    }
    done
}

fn call(server: &Server, connection: &mut Connection, request: &Request) -> Answer {
    let answer = connection.call(request);
    if answer.header("connection") == Some("close") {
        *connection = server.connect();
    }
    answer
}

/// A server over a tree, and outside everything that operations inside name.
fn stage() -> Server {
    let server = Setup::new().start();
    let outside = server.outside();
    for name in ["f", "g", MARK, "victim/f", "new/deep/f", "made/deep/f"] {
        let path = outside.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, MARK).unwrap();
    }
    server
}

/// B18: the parent is now a folder, now a link to one outside; both names change places at one blow.
#[test]
fn a_parent_that_becomes_a_link_never_lets_out() {
    let server = stage();
    let (parent, link) = (server.base().join("parent"), server.base().join("link"));
    fs::create_dir(&parent).unwrap();
    symlink(server.outside(), &link).unwrap();
    let before = picture(&server.outside());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let _attacker = Attacker::start(scope, &done, |_| {
            renameat_with(CWD, &parent, CWD, &link, RenameFlags::EXCHANGE).unwrap();
        });
        assert!(operate(&server, &parent) > 0, "no operation was done at all");
    });
    assert_eq!(picture(&server.outside()), before);
}

/// B18: the same one level up, and with the link in place of the folder for a moment only.
#[test]
fn a_grandparent_that_becomes_a_link_never_lets_out() {
    let server = stage();
    let (top, aside) = (server.base().join("top"), server.base().join("aside"));
    fs::create_dir_all(top.join("parent")).unwrap();
    // Outside has the same names one level down.
    let mirror = server.place("mirror");
    fs::create_dir(&mirror).unwrap();
    fs::rename(server.outside(), mirror.join("parent")).unwrap();
    let before = picture(&mirror);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let _attacker = Attacker::start(scope, &done, |_| {
            fs::rename(&top, &aside).unwrap();
            // An upload may have made the folder anew meanwhile.
            let planted = symlink(&mirror, &top).is_ok();
            if planted {
                let _ = fs::remove_file(&top);
            }
            let _ = fs::remove_dir_all(&top);
            let _ = fs::rename(&aside, &top).or_else(|_| fs::create_dir_all(top.join("parent")));
            let _ = fs::remove_dir_all(&aside);
        });
        assert!(operate(&server, &top.join("parent")) > 0, "no operation was done at all");
    });
    assert_eq!(picture(&mirror), before);
}

/// B18: the last component itself changes between a file and a link to one outside.
#[test]
fn a_file_that_becomes_a_link_never_lets_out() {
    let server = stage();
    let parent = server.base().join("parent");
    fs::create_dir(&parent).unwrap();
    let before = picture(&server.outside());
    let done = AtomicBool::new(false);
    let (target, file) = (server.outside().join("f"), parent.join("f"));
    thread::scope(|scope| {
        let _attacker = Attacker::start(scope, &done, |round| {
            let _ = fs::remove_file(&file);
            let _ = if round.is_multiple_of(2) { symlink(&target, &file) } else { fs::write(&file, "inside") };
        });
        assert!(operate(&server, &parent) > 0, "no operation was done at all");
    });
    assert_eq!(picture(&server.outside()), before);
}
