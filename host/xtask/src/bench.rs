use std::ffi::OsString;
use std::process::Command;

use crate::build::build;
use crate::error::Failure;
use crate::needs;
use crate::places::Places;
use crate::step::run;

/// Build, then run the benchmarks in `tests/bench`.
pub(crate) fn bench(places: &Places, arguments: &[OsString]) -> Result<(), Failure> {
    needs::for_testing()?;
    let runner = places.root.join("tests/bench/run.py");
    if !runner.is_file() {
        return Err(Failure::Tree { detail: format!("{}: there are no benchmarks yet", runner.display()) });
    }
    build(places)?;
    let mut python = Command::new("python3");
    python.arg("-B").arg(runner).args(arguments);
    python.env("ABXD_BIN", places.server()).current_dir(&places.root);
    run("running the benchmarks", &mut python)
}
