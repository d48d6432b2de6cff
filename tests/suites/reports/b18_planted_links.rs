//! B18: operations follow a link that somebody planted.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

const SECRET: &str = "what is outside\n";

/// A server over a tree with links, and what is outside of it.
struct Planted {
    server: Server,
}

impl Planted {
    fn new() -> Self {
        let server = Setup::new().start();
        let (base, outside) = (server.base(), server.outside());
        fs::create_dir(outside.join("folder")).unwrap();
        fs::write(outside.join("secret"), SECRET).unwrap();
        fs::write(outside.join("folder/secret"), SECRET).unwrap();
        fs::create_dir(base.join("real-folder")).unwrap();
        for name in ["real", "plain", "real-folder/f"] {
            fs::write(base.join(name), "inside\n").unwrap();
        }
        for (target, name) in [
            (outside.join("secret"), "out"),
            ("../outside/secret".into(), "out-relative"),
            (outside.join("nothing"), "out-dangling"),
            (outside.join("folder"), "out-folder"),
            ("out".into(), "out-by-two"),
            ("/proc/self/root/etc/passwd".into(), "out-by-proc"),
            ("real".into(), "in"),
            ("real-folder".into(), "in-folder"),
            ("nowhere".into(), "dangle"),
            ("loop".into(), "loop"),
        ] {
            symlink(target, base.join(name)).unwrap();
        }
        Self { server }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.server.base().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn delete(&self, name: &str) -> Answer {
        self.server.call(&self.server.request("DELETE", "/files").query("path", self.text(name)))
    }

    fn rename(&self, from: &str, to: &str) -> Answer {
        self.server.post("/files/move", &json!({"source": self.text(from), "destination": self.text(to)}))
    }

    fn is_link(&self, name: &str, target: &str) -> bool {
        fs::read_link(self.path(name)).is_ok_and(|found| found == Path::new(target))
    }

    /// Nothing outside has come, gone or changed.
    fn outside_is_untouched(&self) {
        let outside = self.server.outside();
        let names = |folder: &Path| {
            let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&outside), ["folder", "secret"]);
        assert_eq!(names(&outside.join("folder")), ["secret"]);
        assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), SECRET);
        assert_eq!(fs::read_to_string(outside.join("folder/secret")).unwrap(), SECRET);
    }
}

/// B18: whatever leads outside is refused, by every endpoint and every form of a request, and stays as it is.
#[test]
fn links_that_lead_outside_are_refused() {
    let planted = Planted::new();
    let server = &planted.server;
    let before = server.get("/files/list", server.base()).ok();
    for (name, code) in [
        ("out", "path_not_allowed"),
        ("out-relative", "path_not_allowed"),
        ("out-dangling", "path_not_allowed"),
        ("out-by-two", "path_not_allowed"),
        ("out-by-proc", "path_not_allowed"),
        ("out-folder", "path_not_allowed"),
        ("out-folder/secret", "path_not_allowed"),
        ("out-folder/new", "path_not_allowed"),
    ] {
        let path = planted.path(name);
        let body = json!({"path": path.to_str(), "content_base64": "aGk="});
        for answer in [
            server.get("/files/stat", &path),
            server.get("/files/list", &path),
            server.get("/download", &path),
            server.get("/files/download-stream", &path),
            server.upload(&path, "hi"),
            server.post("/upload", &body),
            server.post("/files/upload-stream", &body),
            server.post("/files/mkdir", &body),
            planted.delete(name),
            planted.rename(name, "moved"),
            planted.rename("plain", name),
        ] {
            assert_eq!(answer.refused(403, code)["type"], "PolicyDenied", "{name}");
            assert!(!answer.text().contains("what is outside"), "{name}");
        }
    }
    planted.outside_is_untouched();
    assert_eq!(server.get("/files/list", server.base()).ok(), before);
    let shown: Vec<_> = before["entries"].as_array().unwrap().iter().map(|entry| entry["name"].clone()).collect();
    for name in ["out", "out-relative", "out-dangling", "out-folder", "out-by-two", "out-by-proc"] {
        assert!(!shown.contains(&json!(name)), "{name} is listed");
        assert!(planted.path(name).is_symlink(), "{name} is gone");
    }
}

/// B18: reading and writing go through a link that stays inside, also one to nothing yet.
#[test]
fn reads_and_writes_follow_links_that_stay_inside() {
    let planted = Planted::new();
    let server = &planted.server;
    let seen = server.get("/files/stat", planted.path("in")).ok();
    let shown = |seen: &Value| ["path", "name", "exists", "symlink", "target"].map(|key| seen[key].clone());
    assert_eq!(shown(&seen), [json!(planted.text("real")), json!("real"), json!(true), json!(true), json!("real")]);
    let seen = server.get("/files/stat", planted.path("dangle")).ok();
    let nowhere = [json!(planted.text("nowhere")), json!("nowhere"), json!(false), json!(true), json!("nowhere")];
    assert_eq!(shown(&seen), nowhere);
    assert_eq!(server.get("/download", planted.path("in")).body, b"inside\n");
    server.get("/download", planted.path("dangle")).failed_as(404, "FileNotFoundError");
    server.get("/download", planted.path("loop")).failed(404);

    assert_eq!(server.upload(planted.path("in"), "new").ok()["path"], planted.text("real"));
    assert_eq!(fs::read(planted.path("real")).unwrap(), b"new");
    assert_eq!(server.upload(planted.path("dangle"), "made").ok()["path"], planted.text("nowhere"));
    assert_eq!(fs::read(planted.path("nowhere")).unwrap(), b"made");
    assert_eq!(server.upload(planted.path("in-folder/g"), "hi").ok()["path"], planted.text("real-folder/g"));
    assert!(planted.is_link("in", "real") && planted.is_link("dangle", "nowhere"));
    planted.outside_is_untouched();
}

/// B18: delete and move act on the link itself, whatever it points to (decision D21).
#[test]
fn deletes_and_moves_act_on_the_link() {
    let planted = Planted::new();
    for name in ["in", "in-folder", "dangle", "loop"] {
        let target = fs::read_link(planted.path(name)).unwrap();
        let moved = format!("{name}-moved");
        let answer = planted.rename(name, &moved).ok();
        assert_eq!(answer, json!({"source": planted.text(name), "destination": planted.text(&moved)}));
        assert!(planted.is_link(&moved, target.to_str().unwrap()) && !planted.path(name).is_symlink());
        assert_eq!(planted.delete(&moved).ok(), json!({"path": planted.text(&moved), "deleted": true}));
        assert!(!planted.path(&moved).is_symlink());
    }
    assert_eq!(fs::read(planted.path("real")).unwrap(), b"inside\n");
    assert_eq!(fs::read(planted.path("real-folder/f")).unwrap(), b"inside\n");
    planted.outside_is_untouched();
}

/// B18: as a destination a link to a folder is that folder, and any other is replaced itself.
#[test]
fn a_move_onto_a_link_leaves_its_target() {
    let planted = Planted::new();
    planted.rename("plain", "in-folder").ok();
    assert_eq!(fs::read(planted.path("real-folder/plain")).unwrap(), b"inside\n");
    assert!(planted.is_link("in-folder", "real-folder"));
    planted.rename("real-folder/plain", "in").ok();
    assert!(!planted.path("in").is_symlink());
    assert_eq!(fs::read(planted.path("real")).unwrap(), b"inside\n");
    planted.rename("in", "dangle").ok();
    assert!(!planted.path("nowhere").exists());
    planted.outside_is_untouched();
}

/// B18: removing a folder removes the links in it, and nothing that they point to.
#[test]
fn deleting_a_folder_never_follows_its_links() {
    let planted = Planted::new();
    let folder = planted.path("folder");
    fs::create_dir(&folder).unwrap();
    symlink(planted.server.outside(), folder.join("out")).unwrap();
    symlink("../real-folder", folder.join("in")).unwrap();
    planted.delete("folder").ok();
    assert!(!folder.exists());
    assert_eq!(fs::read(planted.path("real-folder/f")).unwrap(), b"inside\n");
    planted.outside_is_untouched();
}

/// B18: where the policy says `never`, a link is no way to anywhere.
#[test]
fn links_are_refused_where_the_policy_says_never() {
    let setup = Setup::new();
    symlink("real", setup.base().join("in")).unwrap();
    fs::write(setup.base().join("real"), "inside").unwrap();
    let server = setup.policy(&json!({"defaults": {"paths": {"symlinks": "never"}}})).start();
    let link = server.base().join("in");
    for answer in [
        server.get("/files/stat", &link),
        server.get("/download", &link),
        server.upload(&link, "new"),
        server.call(&server.request("DELETE", "/files").query("path", link.to_str().unwrap())),
        server.post("/files/move", &json!({"source": link.to_str(), "destination": "moved"})),
    ] {
        answer.refused(403, "symlink_denied");
    }
    assert_eq!(server.get("/files/list", server.base()).ok()["entries"].as_array().unwrap().len(), 1);
}
