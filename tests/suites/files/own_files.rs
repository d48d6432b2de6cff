//! The server's own files are nobody else's, whatever the policy says (decision D44).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;

use crate::harness::{Answer, Server, Setup, abxd, wait};

/// A server whose policy, components and audit log all lie inside the boundary.
fn stage(dev: bool) -> Server {
    let setup = Setup::new();
    let own = setup.base().join("own");
    fs::create_dir_all(own.join("components")).unwrap();
    fs::write(own.join("policy.json"), json!({"defaults": {"paths": {"allow": [setup.base()]}}}).to_string()).unwrap();
    for component in fs::read_dir(abxd().with_file_name("builtin")).unwrap() {
        let component = component.unwrap();
        fs::copy(component.path(), own.join("components").join(component.file_name())).unwrap();
    }
    let setup = setup.arg("--policy").arg(own.join("policy.json")).arg("--audit-file").arg(own.join("audit.log"));
    let setup = setup.arg("--builtin-dir").arg(own.join("components"));
    if dev { setup.arg("--dev").start() } else { setup.start() }
}

/// Every operation on a path, and as a destination.
fn all(server: &Server, path: &Path) -> Vec<(&'static str, Answer)> {
    let text = path.to_str().unwrap();
    let body = json!({"path": text, "content_base64": "aGk="});
    let rename = |source: &str, destination: &str| {
        server.post("/files/move", &json!({"source": source, "destination": destination}))
    };
    vec![
        ("stat", server.get("/files/stat", path)),
        ("list", server.get("/files/list", path)),
        ("download", server.get("/download", path)),
        ("download-stream", server.get("/files/download-stream", path)),
        ("upload", server.upload(path, "hi")),
        ("upload-stream", server.post("/files/upload-stream", &body)),
        ("mkdir", server.post("/files/mkdir", &body)),
        ("delete", server.call(&server.request("DELETE", "/files").query("path", text))),
        ("move from", rename(text, "moved")),
        ("move to", rename("plain", text)),
    ]
}

#[test]
fn own_files_are_denied_to_every_operation() {
    let server = stage(false);
    let own = server.base().join("own");
    fs::write(server.base().join("plain"), "x").unwrap();
    symlink("own/policy.json", server.base().join("link")).unwrap();
    let before = fs::read(own.join("policy.json")).unwrap();
    let component = fs::read(own.join("components/file_ops.cwasm")).unwrap();
    for name in [
        "own/policy.json",
        "own/audit.log",
        "own/components",
        "own/components/file_ops.cwasm",
        "own/components/new",
        "link",
    ] {
        for (operation, answer) in all(&server, &server.base().join(name)) {
            assert_eq!(answer.refused(403, "path_denied")["type"], "PolicyDenied", "{operation} {name}");
        }
    }
    let check = server.post("/capabilities/check", &json!({"endpoint": "files_stat", "path": own.join("policy.json")}));
    assert_eq!(check.ok()["code"], "path_denied");
    assert_eq!(fs::read(own.join("policy.json")).unwrap(), before);
    assert_eq!(fs::read(own.join("components/file_ops.cwasm")).unwrap(), component);
    // Nor do they show.
    let request = server.request("GET", "/files/list").query("path", server.base().to_str().unwrap());
    let listed = server.call(&request.query("recursive", "true")).ok();
    let names: Vec<_> = listed["entries"].as_array().unwrap().iter().map(|entry| entry["name"].clone()).collect();
    for name in ["policy.json", "audit.log", "components", "link"] {
        assert!(!names.contains(&json!(name)), "{name} is listed: {names:?}");
    }
}

/// Moving or removing what they lie in would be a way around.
#[test]
fn the_way_to_own_files_stays() {
    let server = stage(false);
    let own = server.base().join("own");
    let rename = json!({"source": own.to_str(), "destination": "moved"});
    server.post("/files/move", &rename).refused(403, "path_denied");
    let delete = server.request("DELETE", "/files").query("path", own.to_str().unwrap());
    server.call(&delete).refused(403, "path_denied");
    assert!(own.join("policy.json").exists() && own.join("components/file_ops.cwasm").exists());
    // What lies beside them is free.
    server.upload(own.join("beside"), "x").ok();
    let beside = server.request("DELETE", "/files").query("path", own.join("beside").to_str().unwrap());
    server.call(&beside).ok();
}

/// As a cluster mounts it: `p.json -> ..data/p.json`, `..data -> ..v1`, and the inner link is led elsewhere meanwhile.
#[test]
fn links_on_the_way_to_own_files_stay_and_lead_to_nobody_elses() {
    let setup = Setup::new();
    let conf = setup.base().join("conf");
    for version in ["..v1", "..v2"] {
        fs::create_dir_all(conf.join(version)).unwrap();
        fs::write(conf.join(version).join("p.json"), "{}").unwrap();
    }
    symlink("..v1", conf.join("..data")).unwrap();
    symlink("..data/p.json", conf.join("p.json")).unwrap();
    let server = setup.clone().arg("--policy").arg(conf.join("p.json")).start();
    fs::write(server.base().join("plain"), "x").unwrap();
    let delete = |path: &Path| server.call(&server.request("DELETE", "/files").query("path", path.to_str().unwrap()));
    for name in ["p.json", "..data", "..data/p.json", "..v1", "..v1/p.json", ""] {
        let path = conf.join(name);
        delete(&path).refused(403, "path_denied");
        server.post("/files/move", &json!({"source": &path, "destination": "moved"})).refused(403, "path_denied");
    }
    for name in ["p.json", "..data/p.json", "..v1/p.json"] {
        server.upload(conf.join(name), "{}").refused(403, "path_denied");
        let onto = json!({"source": "plain", "destination": conf.join(name)});
        server.post("/files/move", &onto).refused(403, "path_denied");
    }
    server
        .post("/files/move", &json!({"source": "plain", "destination": conf.join("..data")}))
        .refused(403, "path_denied");
    // As whoever runs the cluster puts another version in force.
    symlink("..v2", conf.join("fresh")).unwrap();
    fs::rename(conf.join("fresh"), conf.join("..data")).unwrap();
    wait::until_true("the new version is the server's", || server.upload(conf.join("..v2/p.json"), "{}").status == 403);
    server.upload(conf.join("..v1/p.json"), "{}").refused(403, "path_denied");
    assert!(conf.join("p.json").exists() && server.base().join("plain").exists());
}

/// What came along with a directory that is moved there would be taken for the server's.
#[test]
fn nothing_is_moved_to_where_own_files_are_to_be() {
    let setup = Setup::new();
    let planted = setup.base().join("planted");
    fs::create_dir_all(planted.join("inner")).unwrap();
    fs::create_dir_all(setup.base().join("sub/own")).unwrap();
    let server = setup.clone().arg("--plugin-cache").arg(setup.base().join("own/inner")).start();
    let rename = |source: &str, to: &str| server.post("/files/move", &json!({"source": source, "destination": to}));
    rename("planted", "own").refused(403, "path_denied");
    rename("sub/own", server.base().to_str().unwrap()).refused(403, "path_denied");
    rename("planted", "other").ok();
}

/// Neither the program nor what it takes from beside it: they are what the next start runs.
#[test]
fn the_program_is_nobody_elses() {
    let setup = Setup::new();
    let program = setup.base().join("bin/abxd");
    fs::create_dir(setup.base().join("bin")).unwrap();
    fs::copy(abxd(), &program).unwrap();
    let builtin = abxd().with_file_name("builtin");
    let server = setup.clone().at(&program).arg("--builtin-dir").arg(builtin).start();
    for name in ["bin/abxd", "bin/abxd-compiler", "bin/python/agent_sandbox/__init__.py"] {
        server.upload(server.base().join(name), "mine").refused(403, "path_denied");
    }
    let bin = server.base().join("bin");
    server.call(&server.request("DELETE", "/files").query("path", bin.to_str().unwrap())).refused(403, "path_denied");
    server.upload(server.base().join("bin/other"), "x").ok();
}

/// Another name of an own file has no content for anybody. The name itself lies inside the boundary and is the caller's:
/// the guard judges paths (`contract: guards §1`), facts say nothing of what is in the file, and deleting the name takes
/// away a link and leaves the file as it is.
#[test]
fn a_hard_link_to_an_own_file_has_no_content_and_may_go() {
    let server = stage(false);
    let own = server.base().join("own/policy.json");
    let name = server.base().join("name");
    fs::hard_link(&own, &name).unwrap();
    let before = fs::read(&own).unwrap();
    server.get("/download", &name).refused(403, "path_denied");
    server.upload(&name, "mine").refused(403, "path_denied");
    server.post("/files/move", &json!({"source": &name, "destination": "moved"})).refused(403, "path_denied");
    server.get("/files/stat", &name).ok();
    server.call(&server.request("DELETE", "/files").query("path", name.to_str().unwrap())).ok();
    assert!(!name.exists());
    assert_eq!(fs::read(&own).unwrap(), before);
}

/// On one's own machine they may be reached; the log says so.
#[test]
fn dev_lifts_it_and_says_so() {
    let server = stage(true);
    let own = server.base().join("own");
    server.get("/download", own.join("policy.json")).ok();
    server.upload(own.join("policy.json"), "{}").ok();
    let log = server.stop();
    assert!(log.iter().any(|line| line.contains("WARN") && line.contains("--dev")), "{log:#?}");
}
