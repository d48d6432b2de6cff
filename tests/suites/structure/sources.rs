//! Rules for source files that no lint of the compiler holds.

use super::tree::{files, read, rust_files};

/// Lines of the longest file.
const LONGEST: usize = 400;

#[test]
fn no_file_is_a_hall() {
    for file in rust_files() {
        let lines = read(&file).lines().count();
        assert!(lines <= LONGEST, "{}: {lines} lines; split it", file.display());
    }
}

/// A file is named after the thing in it.
#[test]
fn no_file_is_named_after_nothing() {
    for file in rust_files() {
        for part in file.iter().filter_map(|part| part.to_str()) {
            let name = part.trim_end_matches(".rs");
            let is_nothing =
                ["util", "utils", "helper", "helpers", "common", "misc", "shared", "stuff"].contains(&name);
            assert!(!is_nothing, "{}", file.display());
        }
    }
}

/// One crate holds what the language can't check. Beside it there are generated bindings, and programs of tests.
#[test]
fn unsafe_code_is_in_one_place() {
    let places = [
        "host/sys/",
        "plugins/sdk/src/bindings.rs",
        "host/compiler/tests/",
        "tests/plugins/",
        "tests/suites/structure/",
    ];
    for file in rust_files() {
        let is_place = places.iter().any(|place| file.to_str().unwrap().starts_with(place));
        let text = read(&file);
        let allows = text.lines().any(|line| line.contains("unsafe_code") && !line.contains("forbid(unsafe_code)"));
        assert!(is_place || !allows, "{} allows unsafe code", file.display());
        let uses = text.lines().map(|line| line.split("//").next().unwrap_or_default()).any(|line| {
            ["unsafe {", "unsafe fn ", "unsafe impl ", "unsafe extern "].iter().any(|form| line.contains(form))
        });
        assert!(is_place || !uses, "{} has unsafe code", file.display());
    }
}

/// The lints are the workspace's, in every crate that is built for the host or shipped.
#[test]
fn every_crate_has_the_lints() {
    let manifests =
        ["host", "plugins", "tests"].iter().flat_map(|folder| files(folder, |path| path.ends_with("Cargo.toml")));
    for manifest in manifests {
        let text = read(&manifest);
        // Examples stand alone, as a third party's would; the crate with unsafe code writes its lints out.
        let stands_alone = text.contains("[workspace]") || manifest.starts_with("plugins/examples");
        let has_lints = text.contains("[lints]\nworkspace = true") || text.contains("[lints.");
        assert!(stands_alone || has_lints, "{} has no lints", manifest.display());
    }
}

/// Exceptions from a lint say why.
#[test]
fn every_exception_has_its_reason() {
    for file in rust_files().into_iter().filter(|file| !file.starts_with("tests/suites/structure")) {
        let text = read(&file);
        for (at, _) in text.match_indices("#[allow(").chain(text.match_indices("#[expect(")) {
            let rest = &text[at..];
            let attribute = &rest[..rest.find(")]").unwrap_or(rest.len())];
            assert!(attribute.contains("reason = "), "{}: {attribute}", file.display());
        }
    }
}
