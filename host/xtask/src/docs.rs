use crate::error::Failure;
use crate::places::Places;
use crate::step::{cargo, run};

/// The program that does it.
const WRITER: &str = "abxd-docs";

/// Write what of the documentation follows from the manifests. A test of the writer's fails while that is stale.
pub(crate) fn docs(places: &Places) -> Result<(), Failure> {
    let mut writer = cargo();
    writer.args(["run", "--quiet", "--release", "--package", WRITER]).current_dir(&places.root);
    run("writing the table of endpoints in docs/http.md", &mut writer)
}
