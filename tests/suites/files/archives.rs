//! Archives (contract: file_ops §10).

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::packed::{Member, Members, members};
use crate::harness::{Answer, Server, Setup, wait};

const FORMATS: [&str; 2] = ["tar.gz", "zip"];

fn archive(server: &Server, paths: &[PathBuf], format: &str) -> Answer {
    server.post("/files/archive", &json!({"paths": paths, "format": format}))
}

/// The members of the archive of some paths below the boundary.
#[track_caller]
fn packed(server: &Server, names: &[&str], format: &str) -> Members {
    let paths: Vec<_> = names.iter().map(|name| server.base().join(name)).collect();
    let answer = archive(server, &paths, format).ok();
    assert_eq!(answer["format"], format);
    members(&answer)
}

fn files(server: &Server, contents: &[(&str, &str)]) {
    for (name, content) in contents {
        let path = server.base().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

fn expected<const N: usize>(contents: [(&str, &str); N]) -> Members {
    contents.map(|(name, content)| (name.as_bytes().to_vec(), Member::file(content))).into()
}

#[test]
fn files_and_trees_are_packed_under_their_names() {
    let server = Setup::new().start();
    files(&server, &[("d/x", "X"), ("d/e/y", "Y"), ("d/e/.z", ""), ("other/a.txt", "A")]);
    fs::create_dir_all(server.base().join("d/empty/er")).unwrap();
    let contents = expected([("d/x", "X"), ("d/e/y", "Y"), ("d/e/.z", ""), ("a.txt", "A")]);
    for format in FORMATS {
        assert_eq!(packed(&server, &["d", "other/a.txt"], format), contents, "{format}");
        assert_eq!(packed(&server, &["d/empty"], format), Members::new(), "{format}");
    }
}

/// Links: what they lead to may be inside and be packed as the format has it, or is not packed at all.
#[test]
fn links_are_never_followed_out() {
    let server = Setup::new().start();
    files(&server, &[("d/x", "X"), ("d/folder/in", "I"), ("beside", "B")]);
    let (d, outside) = (server.base().join("d"), server.outside());
    fs::write(outside.join("secret"), "S").unwrap();
    for (name, target) in [("to-x", "x"), ("to-beside", "../beside"), ("dangling", "nowhere"), ("loop", "loop")] {
        symlink(target, d.join(name)).unwrap();
    }
    symlink("folder", d.join("to-folder")).unwrap();
    symlink(&outside, d.join("out")).unwrap();
    symlink(outside.join("secret"), d.join("out-file")).unwrap();
    symlink("/proc/self/environ", d.join("kernel")).unwrap();
    symlink("out-file", d.join("by-way-of-another")).unwrap();
    let files = expected([("d/x", "X"), ("d/folder/in", "I")]);
    let link = |name: &str, target: &str| (name.as_bytes().to_vec(), Member::Link(target.as_bytes().to_vec()));
    let links = [("to-x", "x"), ("to-beside", "../beside"), ("dangling", "nowhere"), ("loop", "loop")];
    let tar: Members =
        files.clone().into_iter().chain(links.map(|(name, target)| link(&format!("d/{name}"), target))).collect();
    assert_eq!(packed(&server, &["d"], "tar.gz"), tar);
    let zip: Members = files.into_iter().chain(expected([("d/to-x", "X"), ("d/to-beside", "B")])).collect();
    assert_eq!(packed(&server, &["d"], "zip"), zip);
    for format in FORMATS {
        // As an argument a link is what it leads to, under that name.
        assert_eq!(packed(&server, &["d/to-beside"], format), expected([("beside", "B")]));
        for name in ["d/out", "d/out-file", "d/kernel"] {
            archive(&server, &[server.base().join(name)], format).refused(403, "path_not_allowed");
        }
    }
}

/// Another name of a member, and what is neither file nor link.
#[test]
fn other_kinds_are_packed_as_their_format_has_them() {
    let server = Setup::new().start();
    files(&server, &[("d/one", "1")]);
    let d = server.base().join("d");
    fs::hard_link(d.join("one"), d.join("two")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, d.join("fifo"), 0o600.into()).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(d.join("socket")).unwrap();
    let tar = packed(&server, &["d"], "tar.gz");
    assert_eq!(tar.keys().map(Vec::as_slice).collect::<Vec<_>>(), [&b"d/fifo"[..], b"d/one", b"d/two"]);
    let twins = [(b"d/one", b"d/two"), (b"d/two", b"d/one")];
    assert!(twins.iter().any(|(first, second)| {
        tar[&first[..]] == Member::file("1") && tar[&second[..]] == Member::Twin(first.to_vec())
    }));
    assert_eq!(packed(&server, &["d"], "zip"), expected([("d/one", "1"), ("d/two", "1")]));
    for format in FORMATS {
        assert_eq!(packed(&server, &["d/fifo", "d/socket"], format), Members::new());
    }
}

/// Number of files: counted over files and trees alike, with what is passed over.
#[test]
fn the_number_of_files_is_limited() {
    let policy = json!({"endpoints": {"files_archive": {"limits": {"max_files": 3}}}});
    let server = Setup::new().policy(&policy).start();
    files(&server, &[("d/1", ""), ("d/e/2", ""), ("3", ""), ("4", "")]);
    for format in FORMATS {
        assert_eq!(packed(&server, &["d", "3"], format).len(), 3);
        for names in [&["d", "3", "4"][..], &["3", "4", "3", "4"]] {
            let paths: Vec<_> = names.iter().map(|name| server.base().join(name)).collect();
            let refused = archive(&server, &paths, format).failed_as(400, "ValueError");
            assert_eq!(refused.get("code"), None);
        }
    }
    symlink("nowhere", server.base().join("d/5")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, server.base().join("d/6"), 0o600.into()).unwrap();
    for format in FORMATS {
        archive(&server, &[server.base().join("d")], format).failed_as(400, "ValueError");
    }
}

/// Bytes: of the archive, not of what is in it; the work ends as soon as there are too many.
#[test]
fn the_size_of_the_archive_is_limited() {
    let policy = json!({"endpoints": {"files_archive": {"limits": {"max_bytes": 10_000}}}});
    let server = Setup::new().policy(&policy).start();
    // A GiB of zeros takes a MiB: too much, and told long before all of it is read.
    File::create(server.base().join("zeros")).unwrap().set_len(1 << 30).unwrap();
    files(&server, &[("small", "x")]);
    let noise: Vec<u8> = (0..20_000_u64).flat_map(|number| (number * number * 2_654_435_761).to_le_bytes()).collect();
    File::create(server.base().join("noise")).unwrap().write_all(&noise).unwrap();
    for format in FORMATS {
        for name in ["zeros", "noise"] {
            let refused = archive(&server, &[server.base().join(name)], format).refused(413, "payload_too_large");
            assert_eq!(refused["limit"], 10_000, "{name}");
        }
        assert_eq!(packed(&server, &["small"], format), expected([("small", "x")]));
    }
}

/// A client that leaves, or says that it has said all, ends the work that was done for it.
#[test]
fn an_archive_ends_with_its_client() {
    let limits = json!({"max_bytes": "1024GiB"});
    let server = Setup::new().policy(&json!({"endpoints": {"files_archive": {"limits": limits}}})).start();
    // Nobody has the time to pack so much.
    let endless = server.base().join("endless");
    File::create(&endless).unwrap().set_len(1 << 40).unwrap();
    let is_packed = || {
        let descriptors = fs::read_dir(format!("/proc/{}/fd", server.pid())).unwrap();
        descriptors.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok()).any(|path| path == endless)
    };
    for format in FORMATS {
        let request = server.request("POST", "/files/archive").json(&json!({"paths": [&endless], "format": format}));
        for leaves in [true, false] {
            let mut connection = server.connect();
            connection.send(request.bytes());
            wait::until_true("it is being packed", is_packed);
            if leaves {
                drop(connection);
            } else {
                connection.end_writing();
                connection.answer().failed_as(400, "ValueError");
            }
            wait::until_true("the work has ended", || !is_packed());
        }
    }
}

/// What is denied is left out, as are unfinished uploads; asked for by name it is refused.
#[test]
fn what_may_not_be_seen_is_not_packed() {
    let policy = json!({"defaults": {"paths": {"deny": ["*.key", "*/private"]}}});
    let server = Setup::new().policy(&policy).start();
    files(&server, &[("d/a", "A"), ("d/b.key", "B"), ("d/private/c", "C"), ("d/.abxd-tmp-0123456789abcdef", "T")]);
    for format in FORMATS {
        assert_eq!(packed(&server, &["d"], format), expected([("d/a", "A")]));
        for name in ["d/b.key", "d/private/c"] {
            archive(&server, &[server.base().join(name)], format).refused(403, "path_denied");
        }
    }
}

/// Shape first, then each path in its turn, then whether all are there.
#[test]
fn arguments_are_judged_in_order() {
    let server = Setup::new().start();
    files(&server, &[("a", "A")]);
    let base = server.base();
    let (a, nope) = (base.join("a"), base.join("nope"));
    let post = |body: Value| server.post("/files/archive", &body);
    for paths in [json!(null), json!([]), json!("a"), json!({}), json!([""]), json!([5]), json!([a.to_str(), ""])] {
        post(json!({"paths": paths})).refused(400, "invalid_path");
    }
    for format in [json!("rar"), json!("ZIP"), json!(null), json!([]), json!({}), json!(5)] {
        let refused = post(json!({"paths": ["/etc"], "format": format})).failed_as(400, "ValueError");
        assert_eq!(refused.get("code"), None, "{format}");
    }
    post(json!({"paths": [nope.to_str(), "/etc", ""]})).refused(403, "path_not_allowed");
    post(json!({"paths": [a.to_str(), nope.to_str()]})).failed_as(404, "FileNotFoundError");
    let default = post(json!({"paths": [a.to_str()]})).ok();
    assert_eq!((&default["format"], members(&default)), (&json!("tar.gz"), expected([("a", "A")])));
}
