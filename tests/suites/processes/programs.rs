//! Which file runs (contract: process §1.5, guards §2 and §3, decision D40).

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Server, Setup};

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn stdout(server: &Server, body: &Value) -> String {
    server.post("/shell", body).ok()["stdout"].as_str().unwrap().trim_end().to_owned()
}

/// What the request's PATH names is not what runs; the child still gets that PATH.
#[test]
fn a_callers_path_chooses_no_program() {
    let server = Setup::new().start();
    script(&server.base().join("echo"), "/bin/echo planted");
    let path = server.base().to_str().unwrap().to_owned();
    let body = |command: &str| json!({"command": command, "cwd": path, "env": {"PATH": path}});
    assert_eq!(stdout(&server, &body("echo hi")), "hi");
    assert_eq!(
        stdout(&server, &body("/usr/bin/env")).lines().find(|line| line.starts_with("PATH=")).unwrap(),
        format!("PATH={path}")
    );
    assert_eq!(stdout(&server, &body("./echo hi")), "planted");
    script(&server.base().join("only-here"), "");
    server.post("/shell", &body("only-here")).failed_as(500, "FileNotFoundError");
}

/// A word with a slash is taken from the directory that the program runs in.
#[test]
fn a_relative_program_is_taken_from_its_directory() {
    let server = Setup::new().start();
    let inner = server.base().join("inner");
    fs::create_dir(&inner).unwrap();
    script(&server.base().join("tool"), "echo outer $0");
    script(&inner.join("tool"), "echo inner $0");
    assert_eq!(stdout(&server, &json!({"command": "./tool"})), format!("outer {}/tool", server.base().display()));
    let body = json!({"command": "./tool", "cwd": inner.to_str()});
    assert_eq!(stdout(&server, &body), format!("inner {}/tool", inner.display()));
    assert_eq!(stdout(&server, &json!({"command": "sh -c 'echo $0'"})), "sh");
}

#[test]
fn what_cannot_start_says_why() {
    let server = Setup::new().start();
    let base = server.base();
    fs::create_dir(base.join("dir")).unwrap();
    fs::write(base.join("plain"), "x").unwrap();
    for (name, text) in [("text", "echo hi\n"), ("no-interpreter", "#!/nope/sh\n"), ("empty", "")] {
        fs::write(base.join(name), text).unwrap();
        fs::set_permissions(base.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (command, kind) in [
        ("nosuchcmd-at-all", "FileNotFoundError"),
        ("./nope", "FileNotFoundError"),
        ("./no-interpreter", "FileNotFoundError"),
        ("./dir", "PermissionError"),
        ("./plain", "PermissionError"),
        ("./text", "OSError"),
        ("./empty", "OSError"),
    ] {
        for endpoint in ["/shell", "/process/start"] {
            let body = server.post(endpoint, &json!({ "command": command })).failed_as(500, kind);
            assert_eq!(body["code"], json!(null), "{command}");
        }
    }
    assert_eq!(server.call(&server.request("GET", "/process/list")).ok(), json!({"processes": []}));
}

#[test]
fn nothing_runs_out_of_the_kernels_trees() {
    let server = Setup::new().start();
    symlink("/proc/self/exe", server.base().join("link")).unwrap();
    symlink("/dev/null", server.base().join("device")).unwrap();
    for command in [
        "/proc/self/exe",
        "//proc//self/exe",
        "/bin/../proc/self/exe",
        "/dev/null",
        "./link",
        "./device",
        "../../../../../../proc/self/exe",
    ] {
        for endpoint in ["/shell", "/shell/stream", "/process/start"] {
            let body = server.post(endpoint, &json!({ "command": command })).refused(403, "process_denied");
            assert_eq!(body["type"], "PolicyDenied");
        }
    }
}

/// A pattern with `{path}` is judged from the guard's base and from the directory of the child.
#[test]
fn a_path_argument_is_judged_from_both_places() {
    let setup = Setup::new();
    let (base, outside) = (setup.base(), setup.outside());
    fs::create_dir(base.join("sub")).unwrap();
    fs::write(base.join("a"), "base a").unwrap();
    fs::write(base.join("sub/a"), "sub a").unwrap();
    fs::write(outside.join("a"), "outside a").unwrap();
    symlink(outside.join("a"), base.join("sub/leads-out")).unwrap();
    fs::write(base.join("leads-out"), "fine").unwrap();
    let rule = json!({"params": {"allow_commands": ["cat {path}"]}});
    let server = setup.policy(&json!({"endpoints": {"shell": rule}})).start();
    let of = |command: &str, cwd: &Path| server.post("/shell", &json!({"command": command, "cwd": cwd.to_str()}));
    assert_eq!(of("cat a", &base).ok()["stdout"], "base a");
    assert_eq!(of("cat a", &base.join("sub")).ok()["stdout"], "sub a");
    of("cat leads-out", &base).ok();
    of("cat leads-out", &base.join("sub")).refused(403, "path_not_allowed");
    of("cat ../../outside/a", &base.join("sub")).refused(403, "path_not_allowed");
    of("cat /etc/passwd", &base).refused(403, "path_not_allowed");
    of("cat -n", &base).refused(403, "command_not_allowed");
    of("ls", &base).refused(403, "command_not_allowed");
}
