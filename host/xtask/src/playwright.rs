//! The real Playwright, as it is locked: what the browser group is compared with. And xterm.js: what terminals are looked at
//! with.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::error::Failure;
use crate::places::Places;
use crate::step::run;

/// What it is called and which one it is, every file of it by its hash.
const FILES: [&str; 2] = ["package.json", "package-lock.json"];

/// Install it, unless that has been done with the same lock. The folder that it is in.
pub(crate) fn install(places: &Places) -> Result<PathBuf, Failure> {
    let (sources, folder) = (places.root.join("tests/playwright"), places.target.join("playwright"));
    fs::create_dir_all(&folder).map_err(|source| Failure::io(&folder, source))?;
    let installed = folder.join("installed");
    let lock = sources.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|source| Failure::io(&lock, source))?;
    if fs::read(&installed).is_ok_and(|text| text == wanted) {
        return Ok(folder);
    }
    for name in FILES {
        let (from, to) = (sources.join(name), folder.join(name));
        fs::copy(&from, to).map_err(|source| Failure::io(&from, source))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]).current_dir(&folder);
    run("installing Playwright and xterm.js, to test with", &mut npm)?;
    // Only now: what is noted has been installed.
    fs::write(&installed, wanted).map_err(|source| Failure::io(&installed, source))?;
    Ok(folder)
}
