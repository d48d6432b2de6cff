//! The published Python client against the server: what was written for the reference works here. The calls themselves are
//! in `tests/client`, one script for each group.

mod commands;
mod files;
mod terminals;

use std::path::PathBuf;
use std::process::Command;

use crate::harness::{Outcome, Server, Setup, checkout, scratch};

/// The variable that says which Python has the client; `cargo xtask test` installs it and sets it.
const VARIABLE: &str = "ABXD_CLIENT_PYTHON";

/// The client takes none that is not ASCII.
const TOKEN: &str = "t0k-of-the-client";

/// A server that the checks may use.
fn setup() -> Setup {
    Setup::new().with_token_of(TOKEN)
}

/// Run one check of a script.
#[track_caller]
fn check(server: &Server, script: &str, name: &str) {
    let url = format!("http://127.0.0.1:{}", server.port);
    let mut command = Command::new(python());
    command.arg("-B").arg(checkout().join("tests/client").join(script)).args([name, &url, TOKEN]).arg(server.base());
    command.env("PTY_URL", format!("ws://127.0.0.1:{}", server.pty_port));
    let outcome = Outcome::of(&mut command);
    assert_eq!(outcome.code, Some(0), "{script} {name}:\n{}", outcome.stderr);
}

#[track_caller]
fn python() -> PathBuf {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let python = named.unwrap_or_else(|| scratch().parent().unwrap().join("client/bin/python3"));
    assert!(python.is_file(), "these tests need {}: `cargo xtask test` installs it", python.display());
    python
}
