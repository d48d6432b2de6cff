//! The published Python client, in an environment of its own: what the tests drive the server with, as users do.

use std::fs;
use std::process::Command;

use crate::error::Failure;
use crate::places::Places;
use crate::step::run;

/// What the environment has in it, every file of it by its hash.
const REQUIREMENTS: &str = ".ci/requirements-client.txt";

/// Install the client, unless that has been done with the same requirements.
pub(crate) fn install(places: &Places) -> Result<(), Failure> {
    let folder = places.client();
    let wanted = places.root.join(REQUIREMENTS);
    let wanted_text = fs::read(&wanted).map_err(|source| Failure::io(&wanted, source))?;
    let installed = folder.join("requirements.txt");
    if fs::read(&installed).is_ok_and(|text| text == wanted_text) {
        return Ok(());
    }
    let mut venv = Command::new("python3");
    run("making a Python environment", venv.args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut pip = Command::new(places.client_python());
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]);
    pip.args(["--only-binary", ":all:", "--requirement"]).arg(&wanted);
    run("installing the published Python client", &mut pip)?;
    // Only now: what is noted has been installed.
    fs::write(&installed, wanted_text).map_err(|source| Failure::io(&installed, source))
}
