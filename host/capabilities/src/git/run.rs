//! One run of git.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Instant;

use abxd_guards::process::CheckedProgram;
use abxd_sys::confinement::Confinement;
use rustix::io::Errno;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::unix::pipe::Receiver;
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use super::failure::interrupted;
use super::output::Output;
use super::stages::Turn;
use super::{Git, GitFailure};
use crate::process::{Child, ChildEnvironment, Directory, Exit, Launch, Spawned, Stdio};

/// The word that it is looked up by.
const PROGRAM: &str = "git";

/// Bytes of a message that are kept.
const LONGEST_MESSAGE: usize = 64 << 10;

/// Variables of the server's start that a run has: to find what git consists of, the settings of the user, and who the
/// user was that became root (`safe.directory` of `git-config(1)`).
pub(super) const KEPT: [&str; 4] = ["PATH", "HOME", "XDG_CONFIG_HOME", "SUDO_UID"];

/// What every run has set: words as everybody knows them, no lock, no question, no other program, no log of its own.
const ALWAYS: [(&str, &str); 10] = [
    ("LC_ALL", "C"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // A list of the transports that may be used. It has to be a word: an empty one counts as none given.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TRACE2", "0"),
    ("GIT_TRACE2_EVENT", "0"),
    ("GIT_TRACE2_PERF", "0"),
];

/// What is to be run.
pub(super) struct Order {
    /// Behind `git`.
    pub(super) arguments: Vec<String>,
    pub(super) directory: OwnedFd,
    /// On top of [`KEPT`] and of [`ALWAYS`].
    pub(super) variables: Vec<(&'static str, OsString)>,
    /// What it may reach; as much as its user may if there are none.
    pub(super) bounds: Option<Confinement>,
    pub(super) turn: Turn,
}

/// What a run came to.
pub(super) struct Ran<T> {
    pub(super) output: T,
    /// None: it was ended, as nobody wanted to hear more.
    exit: Option<Exit>,
    message: Vec<u8>,
}

impl<T> Ran<T> {
    /// Whether a signal ended it.
    pub(super) fn was_killed(&self) -> bool {
        self.exit.is_some_and(|exit| exit.code() < 0)
    }

    /// What was made of the output.
    ///
    /// # Errors
    /// [`GitFailure::Said`] where git failed.
    pub(super) fn success(self) -> Result<T, GitFailure> {
        let Some(exit) = self.exit.filter(|exit| !exit.is_success()) else { return Ok(self.output) };
        let text = String::from_utf8_lossy(&self.message);
        Err(GitFailure::Said(match text.trim() {
            "" => format!("git ended with status {}", exit.code()),
            text => text.to_owned(),
        }))
    }
}

impl Git {
    /// Runs git. `read` gets what it writes, on a thread that may block; where it returns before the end of that, git
    /// is ended, and its failure is none.
    ///
    /// # Errors
    /// Git did not start, or took too long.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        order: Order,
        deadline: Instant,
        read: impl FnOnce(&mut Output) -> io::Result<T> + Send + 'static,
    ) -> Result<Ran<T>, GitFailure> {
        let turn = order.turn.clone();
        let read = move |output: &mut Output| {
            let made = read(output);
            drop(turn);
            made
        };
        let Spawned { child, stdout, stderr, .. } = self.start(order).await?;
        let whole = async {
            let (output, message, exit) =
                tokio::join!(read_by(stdout, deadline, read, &child), beginning(stderr), child.wait());
            let (output, ended) = output?;
            Ok(Ran { output, exit: ended.then_some(exit), message })
        };
        match timeout_at(deadline.into(), whole).await {
            Ok(ran) => ran,
            Err(_) => {
                child.kill();
                Err(GitFailure::TimedOut)
            }
        }
    }

    async fn start(&self, order: Order) -> Result<Spawned, GitFailure> {
        let argv = std::iter::once(PROGRAM.to_owned()).chain(order.arguments).collect();
        let program = self.program().await?;
        let environment = ChildEnvironment::Exactly(self.variables(order.variables));
        let launch = Launch { program, argv, directory: Directory::Open(order.directory), environment };
        let Some(bounds) = order.bounds else { return Ok(self.supervisor.spawn(launch, Stdio::captured()).await?) };
        let supervisor = self.supervisor.clone();
        let start = move || supervisor.spawn_within(launch, Stdio::captured(), &bounds);
        Ok(spawn_blocking(start).await.map_err(interrupted)??)
    }

    /// The program as it is found now.
    pub(super) async fn program(&self) -> Result<CheckedProgram, GitFailure> {
        let programs = self.programs.clone();
        // A bare word is looked for in the search path, wherever it is run.
        let look = move || programs.check(&[PROGRAM.to_owned()], Path::new("/"));
        Ok(spawn_blocking(look).await.map_err(interrupted)??)
    }

    /// Nothing that a request has set: a variable of the loader, of the C library or of git itself would have git run
    /// what somebody planted.
    fn variables(&self, own: Vec<(&'static str, OsString)>) -> Vec<(OsString, OsString)> {
        let always = ALWAYS.iter().map(|(name, value)| (*name, value.into()));
        let own: Vec<(OsString, OsString)> =
            always.chain(own).map(|(name, value)| (OsString::from(name), value)).collect();
        let mut variables = self.supervisor.environment().of_the_start(&KEPT);
        variables.retain(|(name, _)| own.iter().all(|(known, _)| known != name));
        variables.extend(own);
        variables
    }
}

/// What `read` makes of the output, and whether it has read all of it. What it leaves ends the child.
async fn read_by<T: Send + 'static>(
    stdout: Option<Receiver>,
    deadline: Instant,
    read: impl FnOnce(&mut Output) -> io::Result<T> + Send + 'static,
    child: &Child,
) -> Result<(T, bool), GitFailure> {
    let pipe = stdout.ok_or(Errno::BADF)?.into_blocking_fd()?;
    let reading = spawn_blocking(move || {
        let mut output = Output::new(pipe, deadline);
        read(&mut output).map(|made| (made, output.ended))
    });
    let read = reading.await.map_err(interrupted)?;
    if !read.as_ref().is_ok_and(|(_, ended)| *ended) {
        child.kill();
    }
    Ok(read?)
}

/// The beginning of a stream, all of which is read.
async fn beginning(stream: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else { return kept };
    let mut piece = vec![0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut piece).await {
        let room = LONGEST_MESSAGE.saturating_sub(kept.len());
        kept.extend(piece.iter().take(count.min(room)));
    }
    kept
}
