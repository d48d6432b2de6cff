//! Asking a program, so that nothing that a caller could have planted runs with it (decision D45): in `/`, in an
//! environment of a few variables that no caller can set.

use std::ffi::OsString;
use std::future::pending;
use std::os::fd::OwnedFd;
use std::time::Duration;

use abxd_guards::process::{CheckedProgram, ProgramFailure};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use thiserror::Error;

use crate::process::{
    Captured, ChildEnvironment, Directory, Finished, Launch, RunFailure, RunOptions, StartFailure, Supervisor,
};

/// Longest time that a program is given (`contract: system`).
const TIMEOUT: Duration = Duration::from_secs(10);

/// Largest answer, in bytes.
const MOST: u64 = 8 << 20;

/// Variables of the server's start that a program may need to be found and to find itself.
const KEPT: [&str; 2] = ["PATH", "HOME"];

/// Why a program gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LookupFailure {
    /// It did not start.
    #[error(transparent)]
    Start(#[from] StartFailure),
    /// It took too long.
    #[error("the program took longer than {} s", TIMEOUT.as_secs())]
    TimedOut,
    /// What it said can't be read.
    #[error("{0}")]
    Output(Errno),
}

/// What a program writes to its standard output, up to a bound, whatever its exit status. None: there is no such
/// program.
///
/// # Errors
/// See [`LookupFailure`].
pub(super) async fn look_up(
    supervisor: &Supervisor,
    program: CheckedProgram,
    argv: Vec<String>,
    own: Vec<(&str, OsString)>,
) -> Result<Option<Vec<u8>>, LookupFailure> {
    let mut variables = supervisor.environment().of_the_start(&KEPT);
    variables.extend(own.into_iter().map(|(name, value)| (name.into(), value)));
    let directory = Directory::Open(root().map_err(StartFailure::Directory)?);
    let launch = Launch { program, argv, directory, environment: ChildEnvironment::Exactly(variables) };
    let options = RunOptions { timeout: TIMEOUT, most_output: Some(MOST) };
    match supervisor.run(launch, options, pending()).await {
        Ok(Finished { timed_out: true, .. }) => Err(LookupFailure::TimedOut),
        Ok(finished) => content(finished.stdout).await.map(Some),
        Err(RunFailure::Start(StartFailure::Program(ProgramFailure::Missing))) => Ok(None),
        Err(RunFailure::Start(cause)) => Err(cause.into()),
        Err(RunFailure::Left) => Err(LookupFailure::Output(Errno::CANCELED)),
        Err(RunFailure::Output(errno)) => Err(LookupFailure::Output(errno)),
    }
}

fn root() -> Result<OwnedFd, Errno> {
    openat(CWD, "/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

async fn content(captured: Captured) -> Result<Vec<u8>, LookupFailure> {
    let read = tokio::task::spawn_blocking(move || captured.text.read()).await;
    let read = read.map_err(|_| LookupFailure::Output(Errno::CANCELED))?;
    read.map_err(|error| LookupFailure::Output(Errno::from_io_error(&error).unwrap_or(Errno::IO)))
}
