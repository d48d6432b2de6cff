//! Starts that are refused: exit code 1 and one line that names the file, the reason and what would be right.

use std::fs::File;
use std::path::Path;

use serde_json::{Value, json};

use super::component::{bare, manifest, one_endpoint, pack, packed};
use crate::harness::{Setup, abxd};

/// All interfaces of the host.
const THERE: &str = "there are: browser, bulk, clock, code, commands, files, git, log, process, rule, system, terminal";

const ENDPOINT: &str = "id = \"x\"\nmethod = \"GET\"\npath = \"/x\"";

/// The one line that a start with a component of these bytes ends with, after the file's name.
fn refused(setup: Setup, bytes: impl AsRef<[u8]>) -> String {
    let file = setup.keep("bad.wasm", bytes);
    after(&file, &setup.plugin(&file))
}

fn after(file: &Path, setup: &Setup) -> String {
    let outcome = setup.run();
    let line = outcome.one_line(1);
    let rest = line.strip_prefix(&format!("abxd: {}: ", file.display()));
    rest.unwrap_or_else(|| panic!("{line}: not about {}", file.display())).to_owned()
}

fn component(text: &str) -> Vec<u8> {
    pack(&wat::parse_str(text).unwrap(), &one_endpoint("bad", ENDPOINT))
}

#[test]
fn files_that_are_no_plugins() {
    let whole = std::fs::read(packed("echo")).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 64].fill(0xff);
    let code = std::fs::read(abxd().with_file_name("builtin").join("file_ops.cwasm")).unwrap();
    let no_json = abxd_manifest::section::insert(&bare("echo"), b"group = \"toml\"").unwrap();
    for (bytes, said) in [
        (Vec::new(), "not a WebAssembly component in the binary format"),
        (b"#!/bin/sh\n".to_vec(), "not a WebAssembly component in the binary format"),
        (b"\0asm\x01\0\0\0".to_vec(), "not a WebAssembly component in the binary format"),
        (whole[..whole.len() - 1].to_vec(), "a component that is cut off or damaged"),
        (whole[..middle].to_vec(), "a component that is cut off or damaged"),
        (bare("echo"), "no manifest in it; put one in with `abxd-compiler pack`"),
        (code, "compiled code is not taken; give the component it was made from"),
    ] {
        assert_eq!(refused(Setup::new(), bytes), said);
    }
    // In the compiler's words.
    assert!(!refused(Setup::new(), damaged).is_empty());
    let setup = Setup::new();
    let file = setup.keep("bad.wasm", no_json);
    let outcome = setup.plugin(&file).run();
    assert!(outcome.one_line(1).starts_with(&format!("abxd: {}, line 1: ", file.display())), "{outcome:?}");
}

#[test]
fn what_is_no_file() {
    let setup = Setup::new();
    let missing = setup.place("missing.wasm");
    assert_eq!(after(&missing, &setup.plugin(&missing)), "No such file or directory (os error 2)");
    let setup = Setup::new();
    let pipe = setup.place("pipe.wasm");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    assert_eq!(after(&pipe, &setup.plugin(&pipe)), "not a regular file");
    let setup = Setup::new();
    let folder = setup.place("folder");
    std::fs::create_dir_all(folder.join("inner.wasm")).unwrap();
    assert_eq!(after(&folder.join("inner.wasm"), &setup.plugin(&folder)), "not a regular file");
}

#[test]
fn components_that_are_too_large() {
    let setup = Setup::new();
    let file = setup.place("huge.wasm");
    File::create(&file).unwrap().set_len((128 << 20) + 1).unwrap();
    assert_eq!(after(&file, &setup.plugin(&file)), "larger than 134217728 bytes");
}

/// Each would take more of what all components share than its share.
#[test]
fn components_with_more_parts_than_there_are_places_for() {
    let memories = "(core module $m (memory 1)) (core instance (instantiate $m)) (core instance (instantiate $m))";
    assert!(refused(Setup::new(), component(&format!("(component {memories})"))).contains("linear memories"));
    let instances = "(core instance (instantiate $m))".repeat(65);
    let instances = format!("(component (core module $m) {instances})");
    assert!(refused(Setup::new(), component(&instances)).contains("core module instances"));
}

#[test]
fn imports_that_are_not_there_or_not_granted() {
    let import =
        |name: &str| component(&format!("(component (import \"abx:host/{name}\" (instance (export \"f\" (func)))))"));
    assert_eq!(
        refused(Setup::new(), import("teleport@0.1.0")),
        format!("it imports `teleport`, which this host does not have; {THERE}")
    );
    assert_eq!(
        refused(Setup::new(), import("files@0.1.0")),
        "it imports `files`, which is not granted; `--grant bad:files` grants it"
    );
    let other_version = refused(Setup::new().grant("bad:files"), import("files@9.0.0"));
    assert!(other_version.starts_with("does not fit what the host offers and the grant lists"), "{other_version}");
    assert!(other_version.contains("abx:host/files@9.0.0"), "{other_version}");
    let no_handler = refused(Setup::new(), component("(component)"));
    assert!(no_handler.contains("abx:plugin/handler@0.1.0"), "{no_handler}");
    let own =
        refused(Setup::new(), component("(component (import \"me:own/thing\" (instance (export \"f\" (func)))))"));
    assert!(own.contains("me:own/thing"), "{own}");
}

#[test]
fn grants_that_are_for_nobody_or_of_nothing() {
    for (grant, said) in [
        ("echo:teleport", &*format!("grant of echo: `teleport` is no interface of the host; {THERE}")),
        ("echo:files,File", &format!("grant of echo: `File` is no interface of the host; {THERE}")),
        ("nobody:files", "--grant: there is no plugin with group `nobody`; the plugins are: echo"),
        ("file_ops:files", "--grant: group `file_ops` is built in; only its `budget` in the policy can be set"),
        ("echo", "--grant echo: expected GROUP:INTERFACE,INTERFACE"),
    ] {
        let outcome = Setup::new().plugin(packed("echo")).grant(grant).run();
        assert_eq!(outcome.one_line(1), format!("abxd: {said}"));
    }
    let outcome = Setup::new().grant("echo:files").run();
    let said = "--grant: there is no plugin with group `echo`; the plugins are: none";
    assert_eq!(outcome.one_line(1), format!("abxd: {said}"));
}

#[test]
fn what_the_policy_says_of_plugins() {
    let echo = packed("echo");
    for (plugins, said) in [
        (
            json!({"nobody": {"grant": ["files"]}}),
            "policy: plugins: there is no plugin with group `nobody`; the plugins are: echo".to_owned(),
        ),
        (
            json!({"file_ops": {"grant": ["files"]}}),
            "policy: plugins: group `file_ops` is built in; only its `budget` in the policy can be set".to_owned(),
        ),
        (
            json!({"core": {"budget": {"slots": 1}}}),
            "policy: plugins: group `core` is built in; only its `budget` in the policy can be set".to_owned(),
        ),
        (json!({"weather": {"file": echo}}), format!("policy: plugins.weather: {} has group `echo`", echo.display())),
        (
            json!({"echo": {"grant": ["teleport"]}}),
            format!("grant of echo: `teleport` is no interface of the host; {THERE}"),
        ),
        (
            json!({"echo": {"budget": {"memory_bytes": "1GiB"}}}),
            "policy: plugins.echo.budget.memory_bytes: 1073741824 is out of bounds: 65536 to 268435456".to_owned(),
        ),
        (
            json!({"file_ops": {"budget": {"slots": 5000}}}),
            "policy: plugins.file_ops.budget.slots: 5000 is out of bounds: 1 to 1024".to_owned(),
        ),
    ] {
        let outcome = Setup::new().plugin(&echo).policy(&json!({"plugins": plugins})).run();
        assert_eq!(outcome.one_line(1), format!("abxd: {said}"));
    }
}

#[test]
fn budgets_that_nobody_gave() {
    let greedy = |value: &str| {
        let text = manifest("echo").replacen("[[endpoint]]", &format!("[budget]\n{value}\n[[endpoint]]"), 1);
        pack(&bare("echo"), &text)
    };
    assert_eq!(
        refused(Setup::new(), greedy("memory_bytes = 134217728")),
        "its manifest asks for more memory_bytes than the usual 67108864; the policy's \
         `plugins.echo.budget.memory_bytes` can grant it"
    );
    let slots = |slots: u32| json!({"plugins": {"echo": {"budget": {"slots": slots}}, "file_ops": {"budget": {"slots": slots}}}});
    let outcome = Setup::new().plugin(packed("echo")).policy(&slots(1024)).run();
    let line = outcome.one_line(1);
    assert!(line.starts_with("abxd: the groups have ") && line.contains("and the host has 2048; lower"), "{line}");
    let given = json!({"plugins": {"echo": {"budget": {"memory_bytes": "128MiB"}}}});
    let setup = Setup::new();
    let file = setup.keep("greedy.wasm", greedy("memory_bytes = 134217728"));
    assert_eq!(setup.plugin(file).policy(&given).start().ask("/echo").status, 200);
}

/// Such a manifest can't be packed by ours, but by others.
#[test]
fn manifests_with_privileges() {
    for (key, value, said) in [
        ("auth", json!(false), "every endpoint but health asks who is calling; leave it out"),
        ("headers", json!(["authorization"]), "carries credentials, which no component gets"),
        ("path", json!("/"), "is no path"),
        ("path", json!("/x\r\ny"), "is no path"),
        ("id", json!("a\" b"), "is no name"),
    ] {
        let mut endpoint = json!({"id": "x", "method": "GET", "path": "/x", "summary": "s", "scopes": []});
        endpoint[key] = value;
        let line =
            refused(Setup::new(), by_others(&json!({"group": "bad", "version": "1.0.0", "endpoint": [endpoint]})));
        assert!(line.contains(said), "{line}");
    }
    let socket = json!({"id": "x", "method": "GET", "path": "/x", "summary": "s", "scopes": [], "virtual": true});
    let line = refused(Setup::new(), by_others(&json!({"group": "bad", "version": "1.0.0", "endpoint": [socket]})));
    assert_eq!(line, "endpoint `x`: a plugin's endpoints are served over HTTP");
}

fn by_others(manifest: &Value) -> Vec<u8> {
    abxd_manifest::section::insert(&bare("echo"), manifest.to_string().as_bytes()).unwrap()
}
