//! The table of sessions.
//!
//! Owns every session and its task. The lock is held for moments; an opening holds its place by a number. All of it ends
//! in [`Terminals::shutdown`].

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;
use tokio::time::{Instant, timeout};
use tokio_util::task::TaskTracker;

use super::attachment::Attachment;
use super::pty::{Master, Pair, Size};
use super::pump::{self, Ending};
use super::session::{Session, Terminal};
use crate::process::{Input, Launch, Output, Spawned, StartFailure, Stdio, Supervisor};

/// Sessions at once, whatever a rule says (contract: terminal, session model).
pub const MOST: usize = 10;

/// How long a session without a client may be idle (contract: terminal, idle timeout).
pub const IDLE: Duration = Duration::from_secs(1800);

/// How long the tasks of ended sessions may take.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Why no session was opened.
#[derive(Debug, Error)]
pub enum OpenFailure {
    /// There are as many as there may be.
    #[error("there are too many terminals")]
    Full,
    /// There is no pseudo-terminal to be had.
    #[error("no pseudo-terminal can be opened: {0}")]
    Terminal(#[source] io::Error),
    /// The shell could not be started.
    #[error(transparent)]
    Start(#[from] StartFailure),
}

/// Who asks. Sessions of others are not there, unless the caller may see all.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Id of the identity.
    pub id: Arc<str>,
    /// Whether it sees everybody's.
    pub sees_all: bool,
}

impl Caller {
    fn sees(&self, session: &Session) -> bool {
        self.sees_all || session.owner == self.id
    }
}

/// See the module. Copies are the same table.
#[derive(Clone)]
pub struct Terminals(Arc<Inner>);

struct Inner {
    supervisor: Supervisor,
    table: Mutex<Table>,
    tasks: TaskTracker,
    idle: Duration,
}

#[derive(Default)]
struct Table {
    /// In the order in which they were opened.
    sessions: Vec<Arc<Session>>,
    opening: usize,
    closed: bool,
}

impl std::fmt::Debug for Terminals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminals").field("open", &self.0.table().sessions.len()).finish_non_exhaustive()
    }
}

impl Table {
    fn find(&self, caller: &Caller, id: &str) -> Option<&Arc<Session>> {
        self.sessions.iter().find(|session| *session.id == *id && caller.sees(session))
    }

    fn remove(&mut self, is_to_go: impl Fn(&Session) -> bool) {
        for session in self.sessions.extract_if(.., |session| is_to_go(session)) {
            session.gone.cancel();
        }
    }
}

impl Inner {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The task of a session.
    async fn attend(&self, session: Arc<Session>, master: Arc<Master>) {
        while pump::run(&session, &master, self.idle).await == Ending::Idle {
            if self.expire(&session) {
                session.child.hang_up().await;
                break;
            }
        }
        drop(master);
        let exit = session.child.wait().await;
        session.end(exit);
    }

    /// Takes a session that is still idle out of the table.
    fn expire(&self, session: &Session) -> bool {
        let mut table = self.table();
        let is_idle = session.idle_at(self.idle).is_some_and(|at| at <= Instant::now());
        if is_idle {
            table.remove(|known| known.id == session.id);
        }
        is_idle
    }
}

/// A place in the table for a session that is being opened. Free again when dropped, unless it was filled.
struct Place {
    inner: Arc<Inner>,
    is_filled: bool,
}

impl Place {
    /// Puts a session there.
    fn fill(mut self, table: &mut Table, session: Arc<Session>) {
        self.is_filled = true;
        table.opening -= 1;
        table.sessions.push(session);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.is_filled {
            self.inner.table().opening -= 1;
        }
    }
}

impl Terminals {
    /// A table without sessions, whose shells are the supervisor's children.
    #[must_use]
    pub fn new(supervisor: Supervisor, idle: Duration) -> Self {
        Self(Arc::new(Inner { supervisor, table: Mutex::default(), tasks: TaskTracker::new(), idle }))
    }

    /// Opens a session with a shell, at most `most` at once. Ended ones make room first. Without the caller's wait for it
    /// there is no session.
    ///
    /// # Errors
    /// See [`OpenFailure`].
    pub async fn open(&self, owner: &Caller, launch: Launch, size: Size, most: usize) -> Result<Terminal, OpenFailure> {
        let place = self.reserve(most)?;
        let pair = tokio::task::spawn_blocking(move || Pair::open(size)).await;
        let pair = pair.map_err(io::Error::from).and_then(|pair| pair).map_err(OpenFailure::Terminal)?;
        let stdio = Stdio {
            stdin: Input::Null,
            stdout: Output::Null,
            stderr: Output::Null,
            inherit: Vec::new(),
            terminal: Some(pair.name().map_err(OpenFailure::Terminal)?),
        };
        let Spawned { child, .. } = self.0.supervisor.spawn(launch, stdio).await?;
        let master = Arc::new(pair.taken().map_err(OpenFailure::Terminal)?);
        let id = id().map_err(OpenFailure::Terminal)?;
        let session = Arc::new(Session::new(id, Arc::clone(&owner.id), child, Arc::clone(&master), size));
        let described = session.describe();
        self.enter(place, session, master)?;
        Ok(described)
    }

    fn reserve(&self, most: usize) -> Result<Place, OpenFailure> {
        let mut table = self.0.table();
        table.remove(|session| !session.is_alive());
        if table.sessions.len() + table.opening >= most.min(MOST) {
            return Err(OpenFailure::Full);
        }
        table.opening += 1;
        Ok(Place { inner: Arc::clone(&self.0), is_filled: false })
    }

    fn enter(&self, place: Place, session: Arc<Session>, master: Arc<Master>) -> Result<(), StartFailure> {
        let mut table = self.0.table();
        if table.closed {
            // What is dropped below needs the lock.
            drop(table);
            return Err(StartFailure::ShuttingDown);
        }
        place.fill(&mut table, Arc::clone(&session));
        let inner = Arc::clone(&self.0);
        self.0.tasks.spawn(async move { inner.attend(session, master).await });
        Ok(())
    }

    /// The caller's sessions in the order in which they were opened. Those that have ended go first.
    #[must_use]
    pub fn list(&self, caller: &Caller) -> Vec<Terminal> {
        let mut table = self.0.table();
        table.remove(|session| caller.sees(session) && !session.is_alive());
        table.sessions.iter().filter(|session| caller.sees(session)).map(|session| session.describe()).collect()
    }

    /// One of them.
    #[must_use]
    pub fn find(&self, caller: &Caller, id: &str) -> Option<Terminal> {
        self.0.table().find(caller, id).map(|session| session.describe())
    }

    /// Sets the size of one of them.
    #[must_use]
    pub fn resize(&self, caller: &Caller, id: &str, size: Size) -> Option<Terminal> {
        let session = self.0.table().find(caller, id).cloned()?;
        session.resize(size);
        Some(session.describe())
    }

    /// Closes one of them: it is gone at once, and ended when this returns, with everything that came from it (contract:
    /// terminal, DELETE). `false`: there is none. It is ended also when nobody waits for it any more.
    pub async fn close(&self, caller: &Caller, id: &str) -> bool {
        let session = {
            let mut table = self.0.table();
            let Some(session) = table.find(caller, id).cloned() else { return false };
            table.remove(|known| known.id == session.id);
            session
        };
        // An error would mean that the runtime is ending, and the supervisor sees to the rest.
        let _ = self.0.tasks.spawn(async move { session.child.hang_up().await }).await;
        true
    }

    /// A client comes to one of them.
    #[must_use]
    pub fn attach(&self, caller: &Caller, id: &str) -> Option<Attachment> {
        // Under the lock, so that it is not taken for idle meanwhile.
        let table = self.0.table();
        table.find(caller, id).map(|session| Attachment::new(Arc::clone(session)))
    }

    /// Ends all of them at once, each as by [`Terminals::close`], and waits for their tasks. No more can be opened.
    pub async fn shutdown(&self) {
        let sessions = {
            let mut table = self.0.table();
            table.closed = true;
            let sessions = table.sessions.clone();
            table.remove(|_| true);
            sessions
        };
        let endings = sessions.iter().map(|session| session.child.hang_up());
        futures_util::future::join_all(endings).await;
        self.0.tasks.close();
        if timeout(LAST_WORDS, self.0.tasks.wait()).await.is_err() {
            tracing::warn!("terminals did not end in time");
        }
    }
}

/// 12 random hexadecimal digits.
fn id() -> io::Result<Arc<str>> {
    let mut bytes = [0_u8; 6];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect::<String>()
        .into())
}
