//! Tests with a real browser. Those over HTTP run in a network of their own.
//!
//! The guard denies loopback whatever a policy says, so their pages have to come from addresses that look public: those of a
//! network namespace, on its loopback device. Nothing that a browser or a server does there leads out of it.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::build::build;
use crate::error::Failure;
use crate::needs;
use crate::places::Places;
use crate::playwright;
use crate::step::{cargo, run, succeeds};

/// What is reached in that network: addresses that look public, and one that is private. Names of both.
const HOSTS: &str = "127.0.0.1 localhost\n93.184.216.34 site.test other.test\n10.1.2.3 private.test\n";

/// Brings that network up, then becomes what follows the file of names.
const ENTER: &str = "ip link set lo up && ip address add 93.184.216.34/32 dev lo && ip address add 10.1.2.3/32 dev lo && \
                     mount --bind \"$1\" /etc/hosts && shift && exec \"$@\"";

/// Build, then run the tests that need Chromium.
pub(crate) fn test_browser(places: &Places, filter: Option<&OsString>) -> Result<(), Failure> {
    needs::for_browsing()?;
    build(places)?;
    let (hosts, playwright) = (hosts(places)?, playwright::install(places)?);
    // Of the suites the tests that are ignored otherwise.
    let targets = [("abxd-browser", "pages"), ("abxd-tests", "browser"), ("abxd-tests", "suites")];
    for (package, test) in targets {
        let mut command = cargo();
        command.args(["test", "--release", "--package", package, "--test", test, "--no-run"]);
        run(&format!("building the tests of {package} with a browser"), command.current_dir(&places.root))?;
    }
    for (package, test) in targets {
        let mut command = match test {
            "browser" => enter(&hosts),
            _ => cargo(),
        };
        command.args(["test", "--release", "--offline", "--no-fail-fast", "--package", package, "--test", test]);
        command.args(filter).args((test == "suites").then_some(["--", "--ignored"]).into_iter().flatten());
        command.env("ABXD_BIN", places.server()).env("ABXD_PLAYWRIGHT", &playwright);
        run(&format!("testing {package} with a browser"), command.current_dir(&places.root))?;
    }
    Ok(())
}

/// Cargo, in a network of its own.
fn enter(hosts: &PathBuf) -> Command {
    let mut command = Command::new("unshare");
    // Root may do it; others as root of a user namespace, where that is allowed.
    if !is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.args(["--net", "--mount", "sh", "-c", ENTER, "sh"]).arg(hosts).arg(cargo().get_program());
    command
}

/// The file of names.
fn hosts(places: &Places) -> Result<PathBuf, Failure> {
    let file = places.target.join("browser-hosts");
    fs::write(&file, HOSTS).map_err(|source| Failure::io(&file, source))?;
    Ok(file)
}

fn is_root() -> bool {
    succeeds(Command::new("sh").args(["-c", "[ \"$(id -u)\" = 0 ]"]))
}
