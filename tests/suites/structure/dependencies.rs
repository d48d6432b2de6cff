//! The dependency rule of `docs/architecture.md`: what each crate knows nothing of, directly or through others.

use std::collections::BTreeSet;
use std::process::Command;

use super::tree::{read, rust_files};
use crate::harness::checkout;

/// Names of crates that bring a subject with them. A name that ends in `*` stands for all that begin so.
const HTTP: &[&str] =
    &["abxd-http", "abxd-body", "axum", "axum-core", "http", "http-body", "http-body-util", "hyper", "hyper-util"];
const ROUTING: &[&str] = &["abxd-http", "axum", "axum-core", "hyper", "hyper-util", "matchit"];
const WASM: &[&str] = &["abxd-engine", "abxd-plugins", "wasmtime*", "wasmparser", "wit-*", "cranelift*"];
const MACHINE: &[&str] = &["abxd-capabilities", "abxd-sys", "rustix", "nix", "cap-std", "tokio", "mio", "tempfile"];
const COMPILER: &[&str] =
    &["cranelift-codegen", "cranelift-frontend", "wasmtime-internal-cranelift", "wasmtime-internal-winch"];

/// A crate, and what it knows nothing of.
const RULE: &[(&str, &[&[&str]])] = &[
    ("abxd-glob", &[HTTP, WASM, MACHINE, &["abxd-policy", "abxd-guards"]]),
    ("abxd-policy", &[HTTP, WASM, MACHINE, &["abxd-guards"]]),
    ("abxd-guards", &[HTTP, WASM, &["abxd-policy", "abxd-manifest", "abxd-capabilities"]]),
    ("abxd-capabilities", &[HTTP, WASM, &["abxd-policy", "abxd-manifest"]]),
    ("abxd-browser", &[HTTP, WASM, &["abxd-policy", "abxd-manifest"]]),
    ("abxd-commands", &[HTTP, WASM, &["abxd-policy", "abxd-manifest"]]),
    ("abxd-plugins", &[ROUTING, &["abxd"]]),
    ("abxd-http", &[WASM, &["abxd-policy", "abxd-guards", "abxd-capabilities", "abxd-manifest", "abxd"]]),
    ("abxd-websocket", &[WASM, ROUTING, &["abxd-*", "abxd"]]),
    ("abxd-body", &[WASM, ROUTING, &["abxd-policy", "abxd-guards", "abxd-capabilities", "abxd"]]),
    ("abxd-manifest", &[HTTP, MACHINE, &["wasmtime*", "abxd-policy", "abxd-guards", "abxd-plugins"]]),
    ("abxd-sys", &[HTTP, &["abxd-policy", "abxd-guards", "abxd-capabilities", "abxd-plugins"]]),
    // The program that serves has no compiler in it: third parties' components are compiled by a child.
    ("abxd", &[COMPILER]),
    // A component has the interface and nothing of the host.
    ("abx-sdk", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
    ("abx-browser", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
    ("abx-commands", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
    ("abx-file-ops", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
    ("abx-process", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
    ("abx-system", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
    ("abx-dev-tools", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
    ("abx-terminal", &[HTTP, MACHINE, &["abxd*", "wasmtime*"]]),
];

/// What a crate is built with on this machine, itself left out.
fn closure(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "tree",
        "--offline",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--package",
        package,
    ]);
    let output = command.current_dir(checkout()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo tree --package {package}: {errors}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let names = lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned);
    names.filter(|name| name != package && !name.is_empty()).collect()
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

#[test]
fn crates_know_nothing_of_what_they_must_not() {
    let mut broken = Vec::new();
    for (package, forbidden) in RULE {
        let known = closure(package);
        for pattern in forbidden.iter().copied().flatten() {
            let found = known.iter().filter(|name| matches(pattern, name));
            broken.extend(found.map(|name| format!("{package} knows {name}")));
        }
    }
    assert_eq!(broken, [] as [String; 0]);
}

/// Every crate of the host is either under the rule or at the top, where everything may be known.
#[test]
fn no_crate_of_the_host_is_left_out() {
    let top = ["abxd-compiler", "abxd-docs", "abxd-engine", "abxd-command", "xtask"];
    for manifest in super::tree::files("host", |path| path.ends_with("Cargo.toml")) {
        let text = read(&manifest);
        let name = text.lines().find_map(|line| line.strip_prefix("name = ")).unwrap().trim_matches('"');
        let is_known = top.contains(&name) || RULE.iter().any(|(package, _)| *package == name);
        assert!(is_known, "{name} ({}) has no row in the dependency rule", manifest.display());
    }
}

/// Deciding is pure: nothing of the machine is asked, by the standard library either.
#[test]
fn policy_and_globs_do_no_input_or_output() {
    let forbidden = ["std::fs", "std::net", "std::process", "std::env", "std::thread", "std::os", "SystemTime"];
    for folder in ["host/policy/src", "host/glob/src"] {
        for file in rust_files().into_iter().filter(|file| file.starts_with(folder)) {
            let text = read(&file);
            for name in forbidden {
                assert!(!text.contains(name), "{} uses {name}", file.display());
            }
        }
    }
}
