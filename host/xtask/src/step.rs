//! Running one program, in the open.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::error::Failure;

/// Write a line to the terminal.
pub(crate) fn say(line: &str) {
    // A terminal that is gone is no reason to stop building.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Say what is being done, and run the program that does it.
pub(crate) fn run(what: &str, command: &mut Command) -> Result<(), Failure> {
    say(&format!("==> {what}"));
    let program = line(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Step { program, status }),
        Err(source) => Err(Failure::NotRun { program, source }),
    }
}

/// Whether a program runs and answers with success. Shows nothing.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A command as one would type it, more or less: for messages.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
