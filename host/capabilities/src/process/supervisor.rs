//! The supervisor: the one owner of all children.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use abxd_sys::confinement::Confinement;
use abxd_sys::spawn::User;
use rustix::process::{getpid, set_child_subreaper};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::background::Background;
use super::child::GRACE;
use super::environment::Environment;
use super::failure::{RunFailure, StartFailure};
use super::launch::{Launch, Stdio};
use super::ledger;
use super::orphans;
use super::output::Drains;
use super::run::{self, Finished, RunOptions};
use super::start::{Spawned, Starter};
use super::stream::{self, LineStream};
use super::tree::Goal;

/// How long a shutdown may take, in all. SIGKILL is sent well before.
const SHUTDOWN: Duration = Duration::from_secs(3);

/// What a supervisor is told at its start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Directory for captured output that is too large for memory. Where no file without a name can be made there, it is
    /// kept in memory of the kernel's.
    pub scratch: PathBuf,
    /// Who children run as, if not as the server's user (`--child-user`, D43).
    pub user: Option<User>,
    /// How long a write to a process's input waits for it to read anything (`contract: process §7`).
    pub stdin_patience: Duration,
}

impl Settings {
    /// The usual ones.
    #[must_use]
    pub fn new(scratch: PathBuf) -> Self {
        Self { scratch, user: None, stdin_patience: Duration::from_secs(30) }
    }
}

/// The one owner of all children. Cheap to clone. When the last copy goes, everything is killed.
#[derive(Clone, Debug)]
pub struct Supervisor {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    starter: Arc<Starter>,
    drains: Arc<Drains>,
    background: Background,
    scratch: Arc<Path>,
    orphans: JoinHandle<()>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.starter.close();
        drop(self.starter.hunter.hunt_everything(Goal::Kill));
        self.orphans.abort();
    }
}

impl Supervisor {
    /// Begins. From here on orphans of this process's descendants become its children. Must run inside the runtime, and
    /// before the limit of open files is raised, as children get the one that is set now.
    ///
    /// # Errors
    /// What the system lacks: random bytes, a thread, `/dev/null`, signals.
    pub fn start(environment: Environment, settings: Settings) -> io::Result<Self> {
        set_child_subreaper(Some(getpid()))?;
        let starter = Arc::new(Starter::new(environment, settings.user)?);
        let orphans = tokio::spawn(orphans::Reaper::new()?.run());
        let drains = Arc::new(Drains::new());
        let background = Background::new(Arc::clone(&starter), Arc::clone(&drains), settings.stdin_patience);
        Ok(Self { inner: Arc::new(Inner { starter, drains, background, scratch: settings.scratch.into(), orphans }) })
    }

    /// The environment that children inherit.
    #[must_use]
    pub fn environment(&self) -> &Environment {
        &self.inner.starter.environment
    }

    /// Ends everything: SIGTERM to all trees and orphans, at most 1 s, SIGKILL. Starts fail from now on. Takes at most
    /// some seconds, also where something can't be killed.
    pub async fn shutdown(&self) {
        self.inner.starter.close();
        let end = Instant::now() + SHUTDOWN;
        while ledger::is_starting() && Instant::now() + GRACE < end {
            sleep(Duration::from_millis(5)).await;
        }
        let hunter = &self.inner.starter.hunter;
        if timeout(SHUTDOWN, hunter.hunt_everything(Goal::End(GRACE))).await.is_err() {
            tracing::warn!("not every process could be ended");
        }
        self.inner.drains.end();
    }

    /// Whether [`Supervisor::shutdown`] has begun: whoever restarts what ends is to let it be.
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        self.inner.starter.is_closed()
    }

    /// The table of processes that outlive their request.
    #[must_use]
    pub fn background(&self) -> &Background {
        &self.inner.background
    }

    /// Starts a child. What is asked of the guards before may be done on the same thread: see [`Supervisor::spawn_here`].
    ///
    /// # Errors
    /// See [`StartFailure`].
    pub async fn spawn(&self, launch: Launch, stdio: Stdio) -> Result<Spawned, StartFailure> {
        let starter = Arc::clone(&self.inner.starter);
        let start = move || starter.start(launch, stdio);
        // The thread is gone only if the runtime is ending.
        tokio::task::spawn_blocking(start).await.unwrap_or(Err(StartFailure::ShuttingDown))
    }

    /// As [`Supervisor::spawn`], on a thread that may block: it does until the program runs.
    ///
    /// # Errors
    /// See [`StartFailure`].
    pub fn spawn_here(&self, launch: Launch, stdio: Stdio) -> Result<Spawned, StartFailure> {
        self.inner.starter.start(launch, stdio)
    }

    /// As [`Supervisor::spawn_here`], of a child that reaches no more of the file system than `bounds` grant, whoever its
    /// user is.
    ///
    /// # Errors
    /// See [`StartFailure`]; `EACCES` where the bounds don't grant running the program.
    pub fn spawn_within(&self, launch: Launch, stdio: Stdio, bounds: &Confinement) -> Result<Spawned, StartFailure> {
        self.inner.starter.start_within(launch, stdio, Some(bounds))
    }

    /// Runs a program to its end without input and keeps what it writes (`contract: process §2`). When `left` resolves, or
    /// the future is dropped, its tree is ended.
    ///
    /// # Errors
    /// See [`RunFailure`].
    pub async fn run(
        &self,
        launch: Launch,
        options: RunOptions,
        left: impl Future<Output = ()> + Send,
    ) -> Result<Finished, RunFailure> {
        let spawned = self.spawn(launch, Stdio::captured()).await?;
        self.finish(spawned, options, left).await
    }

    /// The second half of [`Supervisor::run`], for a child that was started already. An input that is a pipe is closed.
    ///
    /// # Errors
    /// See [`RunFailure`].
    pub async fn finish(
        &self,
        spawned: Spawned,
        options: RunOptions,
        left: impl Future<Output = ()> + Send,
    ) -> Result<Finished, RunFailure> {
        run::finish(spawned, options, left, &self.inner.drains, &self.inner.scratch).await
    }

    /// Runs a program without input, line by line (`contract: process §3`). Dropping the stream ends its tree.
    ///
    /// # Errors
    /// See [`StartFailure`].
    pub async fn stream(&self, launch: Launch, options: RunOptions) -> Result<LineStream, StartFailure> {
        let spawned = self.spawn(launch, Stdio::captured()).await?;
        Ok(self.lines(spawned, options))
    }

    /// The second half of [`Supervisor::stream`], for a child that was started already. An input that is a pipe is closed.
    /// Must be called inside the runtime.
    #[must_use]
    pub fn lines(&self, spawned: Spawned, options: RunOptions) -> LineStream {
        stream::produce(spawned, options, Arc::clone(&self.inner.starter), Arc::clone(&self.inner.drains))
    }
}
