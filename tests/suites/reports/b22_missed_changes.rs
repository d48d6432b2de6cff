//! B22: a watch misses events.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::harness::{Events, Server, Setup};

/// A watch of the boundary, armed.
struct Watch {
    server: Server,
    top: PathBuf,
    events: Events,
}

/// What was told of one path: type and `is_dir`, in order.
type Told = BTreeMap<String, Vec<(String, bool)>>;

impl Watch {
    fn arm(recursive: bool, fill: impl FnOnce(&Path)) -> Self {
        let server = Setup::new().start();
        let top = server.base().join("top");
        fs::create_dir(&top).unwrap();
        fill(&top);
        let request = server.request("GET", "/files/watch").query("path", top.to_str().unwrap());
        let mut events = Events::open(&server, &request.query("recursive", recursive.to_string()));
        assert_eq!(events.event(), Some(("ready".to_owned(), json!({"path": top.to_str()}))));
        Self { server, top, events }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.top.join(name)
    }

    /// The next change: type, path below the top, `is_dir`.
    #[track_caller]
    fn change(&mut self) -> (String, String, bool) {
        let (name, data) = self.events.event().expect("the stream ended");
        assert_eq!(name, "change", "{data}");
        let keys: Vec<_> = data.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["is_dir", "path", "type"], "{data}");
        let path = Path::new(data["path"].as_str().unwrap());
        let path = path.strip_prefix(&self.top).unwrap().to_str().unwrap().to_owned();
        (data["type"].as_str().unwrap().to_owned(), path, data["is_dir"].as_bool().unwrap())
    }

    /// All that is told of what has been done so far: up to a file that is made now.
    #[track_caller]
    fn told(&mut self) -> Told {
        let last = self.at("the-last-file");
        fs::write(&last, "").unwrap();
        let mut told = Told::new();
        loop {
            let (kind, path, is_dir) = self.change();
            if path == "the-last-file" && kind == "created" {
                break;
            }
            told.entry(path).or_default().push((kind, is_dir));
        }
        fs::remove_file(last).unwrap();
        loop {
            if self.change() == ("deleted".to_owned(), "the-last-file".to_owned(), false) {
                return told;
            }
        }
    }
}

/// What a path must have been told of, where being told of more of the kind `modified` is all right.
#[track_caller]
fn is_told(told: &Told, path: &str, expected: &[(&str, bool)]) {
    let found: Vec<_> = told.get(path).into_iter().flatten().map(|(kind, is_dir)| (kind.as_str(), *is_dir)).collect();
    let strict: Vec<_> = found.iter().copied().filter(|(kind, _)| *kind != "modified").collect();
    let wanted: Vec<_> = expected.iter().copied().filter(|(kind, _)| *kind != "modified").collect();
    assert_eq!(strict, wanted, "{path}: {told:?}");
    assert!(expected.iter().all(|event| found.contains(event)), "{path}: {told:?}");
}

/// B22: a folder that comes with content, and content that follows at once: each once, parents first.
#[test]
fn folders_made_in_depth_are_told_with_what_is_in_them() {
    let mut watch = Watch::arm(true, |_| {});
    fs::create_dir_all(watch.at("d1/d2")).unwrap();
    fs::write(watch.at("d1/d2/file"), "x").unwrap();
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let (kind, path, is_dir) = watch.change();
        if kind == "created" {
            seen.push((path, is_dir));
        }
    }
    let expected = [("d1", true), ("d1/d2", true), ("d1/d2/file", false)];
    assert_eq!(seen, expected.map(|(path, is_dir)| (path.to_owned(), is_dir)));
    assert!(watch.told().values().flatten().all(|(kind, _)| kind == "modified"), "something was told twice");
}

/// B22: renames, below the top, into it and out of it.
#[test]
fn renames_are_told_as_what_goes_and_what_comes() {
    let mut watch = Watch::arm(true, |top| {
        fs::create_dir_all(top.join("folder/inner")).unwrap();
        for name in ["old", "leaves", "over", "target", "folder/inner/file"] {
            fs::write(top.join(name), name).unwrap();
        }
    });
    let aside = watch.server.base();
    fs::write(aside.join("comes"), "x").unwrap();
    for (from, to) in [("old", "new"), ("folder", "renamed"), ("over", "target")] {
        fs::rename(watch.at(from), watch.at(to)).unwrap();
    }
    fs::rename(watch.at("leaves"), aside.join("left")).unwrap();
    fs::rename(aside.join("comes"), watch.at("came")).unwrap();
    let told = watch.told();
    is_told(&told, "old", &[("deleted", false)]);
    is_told(&told, "new", &[("created", false)]);
    is_told(&told, "folder", &[("deleted", true)]);
    is_told(&told, "folder/inner/file", &[("deleted", false)]);
    is_told(&told, "renamed", &[("created", true)]);
    is_told(&told, "renamed/inner", &[("created", true)]);
    is_told(&told, "renamed/inner/file", &[("created", false)]);
    is_told(&told, "over", &[("deleted", false)]);
    is_told(&told, "target", &[("modified", false)]);
    is_told(&told, "leaves", &[("deleted", false)]);
    is_told(&told, "came", &[("created", false)]);
}

/// B22: what is removed is told with the kind that it had.
#[test]
fn removals_are_told() {
    let mut watch = Watch::arm(true, |top| {
        fs::create_dir_all(top.join("tree/inner")).unwrap();
        for name in ["file", "tree/file", "tree/inner/file"] {
            fs::write(top.join(name), "x").unwrap();
        }
    });
    fs::remove_file(watch.at("file")).unwrap();
    fs::remove_dir_all(watch.at("tree")).unwrap();
    let told = watch.told();
    is_told(&told, "file", &[("deleted", false)]);
    is_told(&told, "tree", &[("deleted", true)]);
    is_told(&told, "tree/inner", &[("deleted", true)]);
    is_told(&told, "tree/file", &[("deleted", false)]);
    is_told(&told, "tree/inner/file", &[("deleted", false)]);
}

/// B22: a file that is gone as soon as it came is told of as both.
#[test]
fn what_comes_and_goes_at_once_is_told_as_both() {
    for recursive in [false, true] {
        let mut watch = Watch::arm(recursive, |_| {});
        for round in 0..20 {
            let name = format!("f{round}");
            fs::write(watch.at(&name), "x").unwrap();
            fs::remove_file(watch.at(&name)).unwrap();
        }
        fs::create_dir(watch.at("d")).unwrap();
        fs::remove_dir(watch.at("d")).unwrap();
        let told = watch.told();
        for round in 0..20 {
            is_told(&told, &format!("f{round}"), &[("created", false), ("deleted", false)]);
        }
        is_told(&told, "d", &[("created", true), ("deleted", true)]);
    }
}

/// B22: a rewrite that leaves size and time as they were is a change; a new mode is none.
#[test]
fn a_rewrite_of_the_same_size_and_time_is_told() {
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let write = |path: &Path, content: &str| {
        fs::write(path, content).unwrap();
        File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    };
    let mut watch = Watch::arm(false, |top| {
        write(&top.join("file"), "one");
        write(&top.join("quiet"), "one");
    });
    write(&watch.at("file"), "two");
    fs::set_permissions(watch.at("quiet"), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let told = watch.told();
    is_told(&told, "file", &[("modified", false)]);
    assert_eq!(told.get("quiet"), None);
}

/// B22: the watched folder itself goes: it is told, and then the stream ends well.
#[test]
fn the_end_of_the_watched_folder_is_told() {
    for moved in [false, true] {
        let mut watch = Watch::arm(true, |top| fs::write(top.join("file"), "x").unwrap());
        if moved {
            fs::rename(&watch.top, watch.server.base().join("elsewhere")).unwrap();
        } else {
            fs::remove_dir_all(&watch.top).unwrap();
        }
        let mut told = Vec::new();
        let reason = loop {
            match watch.events.event().expect("no `end`") {
                (name, data) if name == "change" => told.push(data),
                (name, data) => break (name, data),
            }
        };
        assert_eq!(reason, ("end".to_owned(), json!({"reason": "deleted"})));
        let root = json!({"type": "deleted", "path": watch.top.to_str(), "is_dir": true});
        assert_eq!(told.pop(), Some(root));
        let inner = json!({"type": "deleted", "path": watch.at("file").to_str(), "is_dir": false});
        assert!(if moved { told.len() <= 1 } else { told == [inner] }, "{told:?}");
        assert_eq!(watch.events.frame(), None);
    }
}

/// B22: of a burst of 10,000 files none is missed, be they read at once or when all is over.
#[test]
fn of_a_burst_of_ten_thousand_files_none_is_missed() {
    for late in [false, true] {
        let mut watch = Watch::arm(true, |top| fs::create_dir(top.join("d")).unwrap());
        let folders = [watch.top.clone(), watch.at("d")];
        let making = std::thread::spawn(move || {
            for number in 0..10_000 {
                fs::write(folders[number % 2].join(format!("f{number}")), "x").unwrap();
            }
        });
        let mut making = Some(making);
        if late {
            making.take().unwrap().join().unwrap();
        }
        let mut missing: BTreeSet<_> = (0..10_000)
            .map(|number| if number % 2 == 0 { format!("f{number}") } else { format!("d/f{number}") })
            .collect();
        while !missing.is_empty() {
            let (kind, path, _) = watch.change();
            if kind == "created" {
                assert!(missing.remove(&path), "told twice: {path}");
            } else {
                assert_eq!(kind, "modified", "{path}");
            }
        }
        if let Some(making) = making {
            making.join().unwrap();
        }
    }
}

/// B22: what the guard hides from a look it hides from a watch.
#[test]
fn what_is_denied_is_not_told() {
    let policy = json!({"defaults": {"paths": {"deny": ["*.key", "*/private/*"]}}});
    let server = Setup::new().policy(&policy).start();
    let base = server.base();
    let request = server.request("GET", "/files/watch").query("path", base.to_str().unwrap()).query("recursive", "1");
    let mut events = Events::open(&server, &request);
    assert_eq!(events.event().unwrap().0, "ready");
    fs::write(base.join("a.key"), "").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", base.join("out")).unwrap();
    std::os::unix::fs::symlink("plain", base.join("in")).unwrap();
    fs::write(base.join("plain"), "").unwrap();
    let created: Vec<Value> = std::iter::from_fn(|| events.event())
        .map(|(_, data)| data)
        .filter(|data| data["type"] == "created")
        .take(2)
        .collect();
    let told = |name: &str| json!({"type": "created", "path": base.join(name).to_str(), "is_dir": false});
    assert_eq!(created, [told("in"), told("plain")]);
}
