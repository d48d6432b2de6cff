//! The server's own files are nobody else's, whatever the policy says (decision D44).

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::harness::{Answer, Server, Setup, abxd};

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
    std::os::unix::fs::symlink("own/policy.json", server.base().join("link")).unwrap();
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
