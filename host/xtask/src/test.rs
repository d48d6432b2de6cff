use std::ffi::OsString;

use crate::build::build;
use crate::conformance::conformance;
use crate::error::Failure;
use crate::needs;
use crate::places::Places;
use crate::step::{cargo, run};

/// Build, then run the tests of every crate; without a filter also the conformance suite.
pub(crate) fn test(places: &Places, filter: Option<&OsString>) -> Result<(), Failure> {
    needs::for_testing()?;
    build(places)?;
    let crates = |what: &str, selection: &[&str]| {
        let mut command = cargo();
        command.args(["test", "--release", "--no-fail-fast"]).args(selection).args(filter);
        // What tests of the whole program run.
        command.env("ABXD_BIN", places.server()).current_dir(&places.root);
        run(what, &mut command)
    };
    // Apart from each other, as they are built.
    crates("testing the compiler", &["--package", "abxd-compiler"])?;
    crates("testing all other crates", &["--workspace", "--exclude", "abxd-compiler"])?;
    if filter.is_some() {
        return Ok(());
    }
    conformance(places, &[])
}
