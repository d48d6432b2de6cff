//! `abxd python-path`: where a script's interpreter finds `agent_sandbox.server`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{complain, print};

/// Print the directory: beside the program, or where its distribution keeps it.
pub(super) fn show() -> ExitCode {
    match places().iter().find_map(|place| place.canonicalize().ok()) {
        Some(place) => {
            print(place.display());
            ExitCode::SUCCESS
        }
        None => {
            complain("its Python modules are not installed beside it");
            ExitCode::FAILURE
        }
    }
}

/// Where it may be.
pub(super) fn places() -> [PathBuf; 2] {
    let program = std::env::current_exe().unwrap_or_default();
    let directory = program.parent().unwrap_or(Path::new("/"));
    [directory.join("python"), directory.join("../lib/abxd/python")]
}
