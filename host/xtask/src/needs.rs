//! What has to be on the machine, and what to do where it is not.

use std::path::Path;
use std::process::Command;

use crate::error::Failure;
use crate::step::{cargo, run, succeeds};

/// The target that guests are built for.
pub(crate) const GUEST_TARGET: &str = "wasm32-wasip2";

/// What a build needs. The guests' target is added where it is not there yet.
pub(crate) fn for_building() -> Result<(), Failure> {
    if !succeeds(Command::new("cc").arg("--version")) {
        return missing("a C compiler (cc)", "it links programs; install gcc or clang, such as `apt-get install gcc`");
    }
    guest_target()
}

/// What the tests need besides.
pub(crate) fn for_testing() -> Result<(), Failure> {
    if !succeeds(Command::new("python3").args(["-c", "import sys; sys.exit(sys.version_info < (3, 11))"])) {
        return missing("python3, version 3.11 or later", "the conformance suite is written in it; install it");
    }
    if !succeeds(Command::new("python3").args(["-c", "import ensurepip, venv"])) {
        return missing(
            "the venv module of python3",
            "a client is installed by it; `apt-get install python3-venv` does",
        );
    }
    if !succeeds(Command::new("git").arg("--version")) {
        return missing("git", "the tests run it; install it, such as `apt-get install git`");
    }
    Ok(())
}

/// The browser's program, by the names that the server looks for, and the variable that comes first.
const BROWSERS: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"];
const BROWSER_VARIABLE: &str = "ABX_BROWSER_BIN";

/// What tests with a browser need.
pub(crate) fn for_browsing() -> Result<(), Failure> {
    let named = std::env::var_os(BROWSER_VARIABLE).filter(|named| !named.is_empty());
    let mut browsers = named.into_iter().chain(BROWSERS.map(Into::into));
    if !browsers.any(|browser| succeeds(Command::new(browser).args(["--no-sandbox", "--version"]))) {
        return missing("Chromium", "the server drives it; install it, such as `apt-get install chromium`");
    }
    if !succeeds(Command::new("node").args(["-e", "process.exit(+(parseInt(process.versions.node) < 20))"]))
        || !succeeds(Command::new("npm").arg("--version"))
    {
        return missing("node, version 20 or later, with npm", "the server is compared with Playwright; install both");
    }
    if !succeeds(Command::new("less").arg("--version")) {
        return missing("less", "a terminal in a browser is looked at with it; `apt-get install less` installs it");
    }
    if !succeeds(Command::new("ip").arg("-Version")) {
        return missing("ip", "pages are served in a network of their own; `apt-get install iproute2` installs it");
    }
    Ok(())
}

/// What checking the dependencies needs.
pub(crate) fn for_linting() -> Result<(), Failure> {
    if !succeeds(cargo().args(["deny", "--version"])) {
        return missing("cargo-deny", "it checks the dependencies; `cargo install --locked cargo-deny` installs it");
    }
    Ok(())
}

fn guest_target() -> Result<(), Failure> {
    if has_guest_target() {
        return Ok(());
    }
    if !succeeds(Command::new("rustup").arg("--version")) {
        return missing(
            "the Rust target wasm32-wasip2",
            "components are built for it; with rustup, `rustup target add wasm32-wasip2` installs it",
        );
    }
    run("adding the target that components are built for", Command::new("rustup").args(["target", "add", GUEST_TARGET]))
}

fn has_guest_target() -> bool {
    let Ok(answer) = Command::new("rustc").args(["--print", "sysroot"]).output() else { return false };
    let sysroot = String::from_utf8_lossy(&answer.stdout);
    Path::new(sysroot.trim_end()).join("lib/rustlib").join(GUEST_TARGET).is_dir()
}

fn missing<T>(what: &str, remedy: &str) -> Result<T, Failure> {
    Err(Failure::Missing { what: what.to_owned(), remedy: remedy.to_owned() })
}
