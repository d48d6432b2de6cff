use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::build::build;
use crate::error::Failure;
use crate::places::Places;
use crate::step::{line, say};

/// Build, then become the server: signals and the terminal are its own.
pub(crate) fn serve(places: &Places, arguments: &[OsString]) -> Result<(), Failure> {
    build(places)?;
    let mut server = Command::new(places.server());
    server.arg("serve").args(arguments);
    let program = line(&server);
    say(&format!("==> {program}"));
    Err(Failure::NotRun { program, source: server.exec() })
}
