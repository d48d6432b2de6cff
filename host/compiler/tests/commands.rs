//! The program as it is run: files in, files out, exit codes and words.
#![allow(clippy::unwrap_used, reason = "what goes wrong in a helper fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use abxd_manifest::{Manifest, section};
use tempfile::TempDir;

/// Imports two of the host's interfaces, that of types, and one of WASI's; has a module with imports of its own.
const COMPONENT: &str = r#"(component
    (import "abx:host/failures@0.1.0" (instance))
    (import "abx:host/files@0.1.0" (instance))
    (import "abx:host/log@0.1.0" (instance))
    (import "wasi:cli/environment@0.2.6" (instance))
    (core module (import "abx:host/process@0.1.0" "run" (func)))
    (component (import "abx:host/terminal@0.1.0" (instance)))
    (instance $offered)
    (export "abx:plugin/handler@0.1.0" (instance $offered))
)"#;

const MANIFEST: &str = r#"
group = "demo"
version = "1.2.3"
imports = ["files", "log"]
[[endpoint]]
id = "demo_get"
method = "GET"
path = "/demo/{name}"
summary = "A demonstration."
scopes = ["demo:read"]
"#;

/// A folder with `plugin.toml` and `in.wasm` in it.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.put("plugin.toml", MANIFEST.as_bytes());
        bench.put("in.wasm", &wat::parse_str(COMPONENT).unwrap());
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_abxd-compiler"));
        command.current_dir(self.folder.path()).args(arguments).output().unwrap()
    }

    fn pack(&self, component: &str, out: &str) -> Output {
        self.run(&["pack", "--manifest", "plugin.toml", "--component", component, "--out", out])
    }

    fn compile(&self, component: &str, out: &str) -> Output {
        self.run(&["compile", "--component", component, "--out", out])
    }

    /// Nothing was written, and nothing is left of the attempt.
    fn holds_only(&self, names: &[&str]) {
        let mut found: Vec<_> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        assert_eq!(found, names);
    }
}

fn done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", words(output));
    assert_eq!(words(output), "");
}

fn refused(output: &Output, words_of_it: &str) {
    let said = words(output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("abxd-compiler: ") && said.contains(words_of_it), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

fn words(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_packed_component_has_its_manifest_first_and_is_whole() {
    let bench = Bench::new();
    done(&bench.pack("in.wasm", "out.wasm"));
    let (before, packed) = (fs::read(bench.path("in.wasm")).unwrap(), fs::read(bench.path("out.wasm")).unwrap());
    let json = section::read(&packed).unwrap().unwrap();
    let declared = Manifest::from_toml(MANIFEST, "plugin.toml").unwrap();
    assert_eq!(Manifest::from_json(json, "out.wasm").unwrap(), declared);
    assert!(packed.ends_with(&before[8..]));
}

#[test]
fn packing_twice_gives_the_same_bytes_but_not_into_the_same_component() {
    let bench = Bench::new();
    done(&bench.pack("in.wasm", "out.wasm"));
    done(&bench.pack("in.wasm", "again.wasm"));
    assert_eq!(fs::read(bench.path("out.wasm")).unwrap(), fs::read(bench.path("again.wasm")).unwrap());
    refused(&bench.pack("out.wasm", "twice.wasm"), "out.wasm: it has a manifest already");
    bench.holds_only(&["again.wasm", "in.wasm", "out.wasm", "plugin.toml"]);
}

#[test]
fn a_manifest_that_hides_an_import_is_refused() {
    let bench = Bench::new();
    bench.put("plugin.toml", MANIFEST.replace(r#"["files", "log"]"#, r#"["log"]"#).as_bytes());
    refused(&bench.pack("in.wasm", "out.wasm"), "it imports files, which plugin.toml does not list");
    bench.holds_only(&["in.wasm", "plugin.toml"]);
}

#[test]
fn a_manifest_that_asks_for_more_than_is_used_is_told_so() {
    let bench = Bench::new();
    bench.put("plugin.toml", MANIFEST.replace(r#""log"]"#, r#""log", "clock"]"#).as_bytes());
    let output = bench.pack("in.wasm", "out.wasm");
    assert_eq!(output.status.code(), Some(0));
    assert!(words(&output).contains("does not use clock"), "{}", words(&output));
}

#[test]
fn what_is_no_component_or_no_manifest_is_refused_by_name() {
    let bench = Bench::new();
    bench.put("module.wasm", b"\0asm\x01\0\0\0");
    bench.put("text.wasm", COMPONENT.as_bytes());
    bench.put("cut.wasm", &wat::parse_str(COMPONENT).unwrap()[..40]);
    for (name, words) in [("module.wasm", "not a WebAssembly component"), ("text.wasm", "not a WebAssembly component")]
    {
        refused(&bench.pack(name, "out.wasm"), &format!("{name}: {words}"));
    }
    refused(&bench.pack("cut.wasm", "out.wasm"), "cut.wasm: a component that is cut off");
    refused(&bench.pack("none.wasm", "out.wasm"), "none.wasm: No such file");
    bench.put("plugin.toml", b"group = \"demo\"");
    refused(&bench.pack("in.wasm", "out.wasm"), "plugin.toml, line 1: missing field `version`");
    bench.put("plugin.toml", b"\xff");
    refused(&bench.pack("in.wasm", "out.wasm"), "plugin.toml: not UTF-8");
    bench.holds_only(&["cut.wasm", "in.wasm", "module.wasm", "plugin.toml", "text.wasm"]);
}

#[test]
fn compiled_code_loads_into_the_engine_of_the_server() {
    let bench = Bench::new();
    done(&bench.pack("in.wasm", "out.wasm"));
    done(&bench.compile("out.wasm", "out.cwasm"));
    let engine = abxd_engine::open(4).unwrap().engine;
    #[allow(unsafe_code, reason = "loading is unsafe whatever is loaded; this file was written by the line above")]
    // SAFETY: the file is what the compiler wrote, and nobody else has it.
    let loaded = unsafe { wasmtime::component::Component::deserialize_file(&engine, bench.path("out.cwasm")) };
    assert!(loaded.is_ok(), "{:?}", loaded.err());
    assert_eq!(fs::metadata(bench.path("out.cwasm")).unwrap().permissions().mode() & 0o777, 0o644);
}

#[test]
fn compiled_code_and_junk_are_not_compiled() {
    let bench = Bench::new();
    done(&bench.compile("in.wasm", "code.cwasm"));
    refused(&bench.compile("code.cwasm", "again.cwasm"), "code.cwasm: compiled code already");
    bench.put("junk.wasm", b"junk");
    refused(&bench.compile("junk.wasm", "junk.cwasm"), "junk.wasm: not a WebAssembly component");
    // Well framed, and its one section is nothing that a component has.
    bench.put("odd.wasm", b"\0asm\x0d\0\x01\0\x63\x01\0");
    refused(&bench.compile("odd.wasm", "odd.cwasm"), "odd.wasm: ");
    refused(&bench.compile("in.wasm", "no/such/folder.cwasm"), "folder.cwasm: not written: ");
    bench.holds_only(&["code.cwasm", "in.wasm", "junk.wasm", "odd.wasm", "plugin.toml"]);
}

#[test]
fn inspect_shows_what_the_lists_prove() {
    let bench = Bench::new();
    done(&bench.pack("in.wasm", "out.wasm"));
    let shown = bench.run(&["inspect", "out.wasm"]);
    done(&shown);
    let size = fs::metadata(bench.path("out.wasm")).unwrap().len();
    let text = String::from_utf8(shown.stdout).unwrap();
    let (digest, rest) = text.split_once('\n').unwrap();
    let hex = digest.strip_prefix("digest    sha256:").unwrap();
    assert!(hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(
        rest,
        format!(
            "size      {size} bytes
group     demo 1.2.3
asks for  files, log
imports   abx:host/failures@0.1.0, abx:host/files@0.1.0, abx:host/log@0.1.0
exports   abx:plugin/handler@0.1.0
wasi      1 interfaces, which lead nowhere
endpoint  demo_get GET /demo/{{name}} [demo:read]
"
        )
    );
    let bare = bench.run(&["inspect", "in.wasm"]);
    assert!(String::from_utf8(bare.stdout).unwrap().contains("manifest  none\n"));
    refused(&bench.run(&["inspect", "plugin.toml"]), "plugin.toml: not a WebAssembly component");
}

#[test]
fn wrong_arguments_are_a_usage_error() {
    let bench = Bench::new();
    for arguments in [&[][..], &["unpack"], &["pack", "--out", "x"], &["inspect", "a", "b"]] {
        assert_eq!(bench.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
