//! Finding the program, and starting it.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;

use abxd_capabilities::process::{Child, ChildEnvironment, Directory, Input, Launch, Output, StartFailure, Stdio};
use abxd_guards::process::CheckedProgram;
use rustix::fs::{Mode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::flags;
use super::profile::Profile;
use crate::failure::Unavailable;
use crate::settings::{Settings, kept};

/// Names of the program, in the order in which they are looked for (`contract: browser`, engine).
const NAMES: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"];

/// Where the browser reads commands and writes events.
const COMMANDS: i32 = 3;
const EVENTS: i32 = 4;

/// Why it does not start.
#[derive(Debug, thiserror::Error)]
pub(super) enum LaunchError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Os(#[from] rustix::io::Errno),
    #[error("{0}")]
    Start(#[from] StartFailure),
}

/// A browser that was started, and the two pipes to it.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) commands: Sender,
    pub(super) events: Receiver,
    /// What it has to complain of.
    pub(super) complaints: Option<Receiver>,
}

/// The program: the one that the operator named, or the first one on the path.
///
/// # Errors
/// [`Unavailable::Missing`].
pub(super) async fn program(settings: &Settings) -> Result<CheckedProgram, Unavailable> {
    let (guard, directory) = (settings.guard.clone(), settings.working_dir.clone());
    let named = settings.program.clone().filter(|program| !program.is_empty());
    let looked = tokio::task::spawn_blocking(move || {
        let names = named.map_or_else(|| NAMES.map(str::to_owned).to_vec(), |named| vec![named]);
        let mut checked = names.into_iter().filter_map(|name| guard.check(&[name], &directory).ok());
        checked.find(|program| program.file().is_ok())
    });
    looked.await.ok().flatten().ok_or(Unavailable::Missing)
}

/// Starts it with a profile, behind a proxy.
///
/// # Errors
/// See [`LaunchError`].
pub(super) async fn launch(
    settings: &Settings,
    program: CheckedProgram,
    profile: &Profile,
    proxy: SocketAddr,
) -> Result<Started, LaunchError> {
    let (their_commands, commands) = pipe_with(PipeFlags::CLOEXEC)?;
    let (events, their_events) = pipe_with(PipeFlags::CLOEXEC)?;
    let flags = flags::flags(profile.path(), proxy).into_iter();
    let launch = Launch {
        argv: std::iter::once(program.word().to_owned()).chain(flags).collect(),
        program,
        directory: Directory::Open(open(profile)?),
        environment: ChildEnvironment::Exactly(environment(settings, profile)),
    };
    let stdio = Stdio {
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Pipe,
        inherit: vec![(their_commands, COMMANDS), (their_events, EVENTS)],
        terminal: None,
    };
    let spawned = settings.supervisor.spawn(launch, stdio).await?;
    let (commands, events) = (Sender::from_owned_fd(commands)?, Receiver::from_owned_fd(events)?);
    Ok(Started { child: spawned.child, commands, events, complaints: spawned.stderr })
}

fn open(profile: &Profile) -> rustix::io::Result<OwnedFd> {
    rustix::fs::open(profile.path(), OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// The server's variables, as far as a browser needs them; what it keeps goes into its profile.
fn environment(settings: &Settings, profile: &Profile) -> Vec<(OsString, OsString)> {
    let own = ["TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
    let own = own.map(|name| (name.into(), profile.path().into()));
    kept(&settings.variables).into_iter().chain(own).collect()
}
