//! Starting a child: pipes, the order for the kernel, the ledger.

use std::ffi::CString;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use abxd_sys::confinement::Confinement;
use abxd_sys::spawn::{Limit, Order, SpawnError, Started, User};
use rustix::io::Errno;
use rustix::process::{Pid, Resource, getrlimit};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::runtime::Handle;

use super::child::Child;
use super::environment::Environment;
use super::failure::StartFailure;
use super::launch::{Directory, Input, Launch, Output, Stdio};
use super::ledger::Ticket;
use super::tree::{Goal, Hunter, Marks, Tree, limit};

/// How much more a child's `oom_score_adj` is than the server's, so that the kernel ends it first (D43).
const OOM_DISTANCE: i32 = 500;

/// The most that it can be (`proc_pid_oom_score_adj(5)`).
const OOM_MOST: i32 = 1000;

/// Pauses, in milliseconds, before a program is tried again that somebody has open for writing. A file that was just written is open
/// nowhere but in a child that has not run its program yet, so it is free within moments.
const BUSY: [u64; 5] = [1, 2, 4, 8, 16];

/// A child that was started.
#[derive(Debug)]
pub struct Spawned {
    /// Its handle.
    pub child: Child,
    /// The writing end of its input, where that is a pipe.
    pub stdin: Option<Sender>,
    /// The reading end of its output, where that is a pipe.
    pub stdout: Option<Receiver>,
    /// The same of its other output.
    pub stderr: Option<Receiver>,
}

/// What all starts share.
#[derive(Debug)]
pub(super) struct Starter {
    pub(super) environment: Environment,
    pub(super) hunter: Arc<Hunter>,
    closed: AtomicBool,
    marks: Marks,
    user: Option<User>,
    runtime: Handle,
    null: OwnedFd,
    /// The limit of open files that the server was started with; its own may have been raised.
    open_files: Option<Limit>,
    oom_score_adj: Option<i32>,
}

impl Starter {
    /// Must run inside the runtime, before the server's limit of open files is raised.
    pub(super) fn new(environment: Environment, user: Option<User>) -> io::Result<Self> {
        let marks = Marks::new()?;
        let files = getrlimit(Resource::Nofile);
        let open_files = files.current.zip(files.maximum);
        let own = fs::read_to_string("/proc/self/oom_score_adj").ok().and_then(|text| text.trim().parse::<i32>().ok());
        Ok(Self {
            environment,
            hunter: Arc::new(Hunter::start(marks.owner())?),
            closed: AtomicBool::new(false),
            marks,
            user,
            runtime: Handle::current(),
            null: OpenOptions::new().read(true).write(true).open("/dev/null")?.into(),
            open_files: open_files.map(|(soft, hard)| Limit { resource: Resource::Nofile, soft, hard }),
            oom_score_adj: own.map(|own| own.saturating_add(OOM_DISTANCE).min(OOM_MOST)),
        })
    }

    /// Whether the server is ending.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Nothing starts from now on, but what is being started.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// Starts a child. Blocks until its program runs.
    pub(super) fn start(&self, launch: Launch, stdio: Stdio) -> Result<Spawned, StartFailure> {
        self.start_within(launch, stdio, None)
    }

    /// The same within bounds.
    pub(super) fn start_within(
        &self,
        launch: Launch,
        stdio: Stdio,
        bounds: Option<&Confinement>,
    ) -> Result<Spawned, StartFailure> {
        let program = launch.program.into_file()?;
        let path = text(program.path().as_os_str().as_bytes().to_vec())?;
        let argv = launch.argv.into_iter().map(|word| text(word.into_bytes())).collect::<Result<Vec<_>, _>>()?;
        let variables = launch.environment.block(&self.environment)?;
        let directory = match &launch.directory {
            Directory::Server => None,
            Directory::Open(directory) => Some(directory.as_fd()),
        };
        let _runtime = self.runtime.enter();
        let ends = Ends::open(stdio, &self.null)?;
        let descriptors: Vec<_> = ends.of_child.iter().map(|(end, number)| (end.as_fd(), *number)).collect();
        let mark = self.marks.next();
        let limits: Vec<_> = limit(mark).into_iter().chain(self.open_files).collect();
        let score = self.oom_score_adj.and_then(|score| CString::new(score.to_string()).ok());
        let order = Order {
            program: program.descriptor(),
            path: &path,
            argv: &argv,
            environment: &variables,
            directory,
            oom_score_adj: score.as_deref(),
            descriptors: &descriptors,
            terminal: ends.terminal.as_deref(),
            limits: &limits,
            user: self.user.as_ref(),
            confinement: bounds,
        };
        let child = self.own(&order, mark)?;
        Ok(Spawned { child, stdin: ends.stdin, stdout: ends.stdout, stderr: ends.stderr })
    }

    fn own(&self, order: &Order<'_>, mark: u64) -> Result<Child, StartFailure> {
        let ticket = Ticket::take();
        // Looked at with the ticket taken: a shutdown that comes later waits for it.
        if self.is_closed() {
            return Err(StartFailure::ShuttingDown);
        }
        let started = patiently(order)?;
        ticket.enter(started.pid, self.marks.owner());
        self.let_die_first(started.pid);
        let tree = Tree { leader: started.pid, mark };
        let watched = Child::adopt(tree, started.handle, Arc::clone(&self.hunter));
        watched.map_err(|cause| {
            // Nobody would reap it: with the ledger rid of it, it is an orphan.
            drop(self.hunter.hunt(tree, Goal::Kill));
            super::ledger::disown(started.pid);
            errno(&cause).into()
        })
    }

    /// By the server, as a child may not where the server is not root: once it runs its program (D43).
    fn let_die_first(&self, pid: Pid) {
        let Some(score) = self.oom_score_adj else { return };
        // It may have ended already; it is not reaped, so the number is still its own.
        let _ = fs::write(format!("/proc/{}/oom_score_adj", pid.as_raw_nonzero()), score.to_string());
    }
}

fn patiently(order: &Order<'_>) -> Result<Started, SpawnError> {
    for pause in BUSY {
        match abxd_sys::spawn::spawn(order) {
            Err(SpawnError { errno: Errno::TXTBSY, .. }) => sleep(Duration::from_millis(pause)),
            done => return done,
        }
    }
    abxd_sys::spawn::spawn(order)
}

fn text(bytes: Vec<u8>) -> Result<CString, StartFailure> {
    CString::new(bytes).map_err(|_| StartFailure::Os(Errno::INVAL))
}

pub(super) fn errno(cause: &io::Error) -> Errno {
    Errno::from_io_error(cause).unwrap_or(Errno::IO)
}

/// Both ends of everything. The child's close when this is dropped, so that a pipe ends with the child.
struct Ends<'a> {
    of_child: Vec<(End<'a>, RawFd)>,
    terminal: Option<CString>,
    stdin: Option<Sender>,
    stdout: Option<Receiver>,
    stderr: Option<Receiver>,
}

enum End<'a> {
    Shared(&'a OwnedFd),
    Own(OwnedFd),
}

impl AsFd for End<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Shared(end) => end.as_fd(),
            Self::Own(end) => end.as_fd(),
        }
    }
}

impl<'a> Ends<'a> {
    fn open(stdio: Stdio, null: &'a OwnedFd) -> Result<Self, StartFailure> {
        let inherited = stdio.inherit.into_iter().map(|(end, number)| (End::Own(end), number));
        let mut ends =
            Self { of_child: inherited.collect(), terminal: stdio.terminal, stdin: None, stdout: None, stderr: None };
        if ends.of_child.iter().any(|(_, number)| *number < 3) {
            return Err(Errno::INVAL.into());
        }
        if ends.terminal.is_none() {
            let (stdin, writer) = input(stdio.stdin, null).map_err(|cause| errno(&cause))?;
            let (stdout, of_stdout) = output(stdio.stdout, null).map_err(|cause| errno(&cause))?;
            let (stderr, of_stderr) = output(stdio.stderr, null).map_err(|cause| errno(&cause))?;
            ends.of_child.extend([(stdin, 0), (stdout, 1), (stderr, 2)]);
            (ends.stdin, ends.stdout, ends.stderr) = (writer, of_stdout, of_stderr);
        }
        Ok(ends)
    }
}

/// Both ends are closed on exec; only the server's does not block.
fn input(input: Input, null: &OwnedFd) -> io::Result<(End<'_>, Option<Sender>)> {
    Ok(match input {
        Input::Null => (End::Shared(null), None),
        Input::From(end) => (End::Own(end), None),
        Input::Pipe => {
            let (reader, writer) = io::pipe()?;
            (End::Own(reader.into()), Some(Sender::from_owned_fd(writer.into())?))
        }
    })
}

fn output(output: Output, null: &OwnedFd) -> io::Result<(End<'_>, Option<Receiver>)> {
    Ok(match output {
        Output::Null => (End::Shared(null), None),
        Output::To(end) => (End::Own(end), None),
        Output::Pipe => {
            let (reader, writer) = io::pipe()?;
            (End::Own(writer.into()), Some(Receiver::from_owned_fd(reader.into())?))
        }
    })
}
