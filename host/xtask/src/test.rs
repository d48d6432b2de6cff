use std::ffi::OsString;

use crate::build::build;
use crate::conformance::conformance;
use crate::error::Failure;
use crate::group::Group;
use crate::needs;
use crate::places::Places;
use crate::step::{cargo, run};

/// The crate with the ahead-of-time compiler.
const COMPILER: &str = "abxd-compiler";

/// The crate that components are written with.
const SDK: &str = "abx-sdk";

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
    // Apart from each other, so that none is built with features that only another asks for.
    let groups = Group::all(places)?;
    let guests: Vec<_> = groups.iter().map(Group::package).chain([SDK.to_owned()]).collect();
    let each = |option: &'static str| guests.iter().flat_map(move |guest| [option, guest.as_str()]);
    let host = ["--workspace", "--exclude", COMPILER].into_iter().chain(each("--exclude"));
    crates("testing the compiler", &["--package", COMPILER])?;
    crates("testing components", &each("--package").collect::<Vec<_>>())?;
    crates("testing the host", &host.collect::<Vec<_>>())?;
    if filter.is_some() {
        return Ok(());
    }
    conformance(places, &[])
}
