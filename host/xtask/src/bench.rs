use std::ffi::OsString;
use std::process::Command;

use crate::build::{build, package};
use crate::error::Failure;
use crate::guest::Guest;
use crate::needs;
use crate::places::Places;
use crate::step::run;
use crate::test::loaded_by_tests;

/// Build, then run the benchmarks.
pub(crate) fn bench(places: &Places, arguments: &[OsString]) -> Result<(), Failure> {
    needs::for_testing()?;
    build(places)?;
    loaded_by_tests(places, &Guest::of_tests(places)?)?;
    package(places, "abxd-bench", "building the benchmarks")?;
    let mut bench = Command::new(places.release().join("abxd-bench"));
    run("running the benchmarks", bench.args(arguments).current_dir(&places.root))
}
