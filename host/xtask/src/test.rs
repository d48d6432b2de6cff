use std::ffi::OsString;

use crate::build::{GUEST_PROFILE, build, components, make_folder, pack};
use crate::client;
use crate::conformance::conformance;
use crate::error::Failure;
use crate::guest::Guest;
use crate::needs::{self, GUEST_TARGET};
use crate::places::Places;
use crate::step::{cargo, run};

/// The crate with the ahead-of-time compiler.
const COMPILER: &str = "abxd-compiler";

/// The crates with the engine in them.
const ENGINE: [&str; 4] = ["abxd", "abxd-engine", "abxd-plugins", "abxd-sys"];

/// The crate that components are written with.
const SDK: &str = "abx-sdk";

/// The benchmarks, which have no tests.
const BENCH: &str = "abxd-bench";

/// Build, then run the tests of every crate; without a filter also the conformance suite.
pub(crate) fn test(places: &Places, filter: Option<&OsString>) -> Result<(), Failure> {
    needs::for_testing()?;
    build(places)?;
    client::install(places)?;
    let guests = Guest::built_in(places)?;
    let hostile = Guest::of_tests(places)?;
    loaded_by_tests(places, &hostile)?;

    let crates = |what: &str, selection: &[&str]| {
        let mut command = cargo();
        command.args(["test", "--release", "--no-fail-fast"]).args(selection).args(filter);
        command.env("ABXD_BIN", places.server()).env("ABXD_TEST_PLUGINS", places.test_plugins());
        command.env("ABXD_CLIENT_PYTHON", places.client_python());
        run(what, command.current_dir(&places.root))
    };
    // Apart from each other: cargo gives all crates of one call the features that any of them asks for, if only for its
    // tests. So the host is tested as it is shipped, and each kind of wasmtime is built once.
    let components: Vec<_> = guests.iter().map(|guest| guest.package.as_str()).chain([SDK]).collect();
    let untested = hostile.iter().map(|guest| guest.package.as_str()).chain([BENCH]);
    let others = components.iter().copied().chain(ENGINE).chain([COMPILER]).chain(untested);
    let rest: Vec<_> = std::iter::once("--workspace").chain(others.flat_map(|name| ["--exclude", name])).collect();
    crates("testing the compiler", &["--package", COMPILER])?;
    crates("testing the components", &packages(&components))?;
    crates("testing the host around the engine", &packages(&ENGINE))?;
    crates("testing all other crates, and the whole", &rest)?;
    for example in Guest::examples(places)? {
        let mut command = cargo();
        command.args(["test", "--release", "--locked"]).args(filter).env("CARGO_TARGET_DIR", &places.target);
        run(&format!("testing the example {}", example.name), command.current_dir(&example.folder))?;
    }
    if filter.is_some() {
        return Ok(());
    }
    conformance(places, &[])
}

/// Build and pack the components that tests load: the hostile ones, and the examples as a third party would.
pub(crate) fn loaded_by_tests(places: &Places, hostile: &[Guest]) -> Result<(), Failure> {
    let folder = places.test_plugins();
    make_folder(&folder)?;
    components(places, hostile)?;
    for guest in hostile {
        pack(places, guest, GUEST_PROFILE, &folder.join(format!("{}.wasm", guest.name)))?;
    }
    for example in Guest::examples(places)? {
        let mut command = cargo();
        command.args(["build", "--release", "--lib", "--locked", "--target", GUEST_TARGET]);
        command.env("CARGO_TARGET_DIR", &places.target).current_dir(&example.folder);
        run(&format!("building the example {}", example.name), &mut command)?;
        pack(places, &example, "release", &folder.join(format!("{}.wasm", example.name)))?;
    }
    Ok(())
}

fn packages<'a>(names: &[&'a str]) -> Vec<&'a str> {
    names.iter().flat_map(|name| ["--package", name]).collect()
}
