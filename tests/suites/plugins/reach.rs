//! What a component with files can reach: what its endpoint's rule allows, and nothing of the server's.

use std::fs;

use serde_json::json;

use super::component::packed;
use crate::harness::Setup;

#[test]
fn granted_files_are_those_of_the_rule() {
    let setup = Setup::new();
    let own = setup.base().join("own");
    fs::create_dir(&own).unwrap();
    for name in ["hostile.wasm", "echo.wasm"] {
        fs::copy(packed(name.trim_end_matches(".wasm")), own.join(name)).unwrap();
    }
    fs::write(own.join("policy.json"), "{}").unwrap();
    fs::create_dir(own.join("cache")).unwrap();
    fs::write(own.join("cache/code.cwasm"), "x").unwrap();
    fs::write(setup.outside().join("secret"), "x").unwrap();
    fs::write(setup.base().join("plain"), "plain").unwrap();
    std::os::unix::fs::symlink(setup.outside().join("secret"), setup.base().join("link")).unwrap();
    let setup = setup.plugin(own.join("hostile.wasm")).plugin(own.join("echo.wasm")).grant("hostile:files");
    let setup = setup.arg("--policy").arg(own.join("policy.json")).arg("--plugin-cache").arg(own.join("cache"));
    let server = setup.start();
    let read = |path: &str| server.get("/hostile/read", path);
    assert_eq!(read("plain").text(), "plain");
    for (path, code) in [
        ("own/policy.json", "path_denied"),
        ("own/hostile.wasm", "path_denied"),
        ("own/echo.wasm", "path_denied"),
        ("own/cache/code.cwasm", "path_denied"),
        ("../outside/secret", "path_not_allowed"),
        ("link", "path_not_allowed"),
        ("/etc/passwd", "path_not_allowed"),
        ("/proc/self/environ", "path_not_allowed"),
        ("/proc/self/root/etc/passwd", "path_not_allowed"),
        ("/dev/fd/0", "path_not_allowed"),
    ] {
        let body = read(path).refused(403, code);
        assert_eq!(body["endpoint"], "hostile_read", "{path}");
    }
}

#[test]
fn the_policy_narrows_a_plugins_paths() {
    let setup = Setup::new().with_hostile();
    let policy = json!({"endpoints": {"hostile_read": {"paths": {"deny": ["*.key"]}}}});
    fs::write(setup.base().join("a.key"), "x").unwrap();
    fs::write(setup.base().join("a.txt"), "text").unwrap();
    let server = setup.policy(&policy).start();
    assert_eq!(server.get("/hostile/read", "a.txt").text(), "text");
    server.get("/hostile/read", "a.key").refused(403, "path_denied");
}
