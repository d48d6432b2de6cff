//! The owner of the interpreter: starts it, has it load, serves until it ends, and starts another one.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdStream;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use abxd_capabilities::process::{
    Child, ChildEnvironment, Directory, Exit, Input, Launch, Output, Spawned, StartFailure, Stdio,
};
use abxd_guards::process::ProcessDenial;
use tokio::net::UnixStream;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep, timeout};

use super::channel::{Line, Requests};
use super::desk::{Failed, Refused};
use super::{Registered, Setup, modules, printed};
use crate::load::LoadError;

/// The descriptor that is the channel in the interpreter.
const CHANNEL: i32 = 3;

/// How long loading may take.
const LOADING: Duration = Duration::from_secs(300);

/// How long what it has printed is waited for after its end.
const LAST_LINES: Duration = Duration::from_millis(250);

/// Between two starts of an interpreter that keeps ending: at first, and at most.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// An interpreter that has lived for so long is started again at once.
const STEADY: Duration = Duration::from_secs(10);

/// The largest answer of loading, in bytes.
const LARGEST: u64 = 64 << 20;

/// Where an interpreter is in its life.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// It is being started.
    Starting,
    /// It serves.
    Serving(Arc<Line>),
    /// It did not load, and is tried again later.
    Down(String),
}

/// What the first start led to.
type First = oneshot::Sender<Result<Registered, LoadError>>;

/// Own an interpreter. Ends when nobody holds the other end of `state`, when the first one does not load, or when the
/// supervisor starts no more children.
pub(super) async fn own(setup: Setup, state: watch::Sender<State>, first: First) {
    let (mut first, mut pause) = (Some(first), Duration::ZERO);
    let keep = async {
        loop {
            let begun = Instant::now();
            let how = match live(&setup, &state, &mut first).await {
                Ok(how) => {
                    // Calls wait from here on.
                    state.send_replace(State::Starting);
                    how
                }
                Err(LoadError::NoInterpreter { cause: StartFailure::ShuttingDown, .. }) => return,
                Err(cause) => match first.take() {
                    Some(first) => {
                        // Nobody is left to tell if the start was given up.
                        let _ = first.send(Err(cause));
                        return;
                    }
                    None => {
                        let why = format!("the Python worker does not start again: {cause}");
                        state.send_replace(State::Down(why.clone()));
                        why
                    }
                },
            };
            if setup.host.supervisor.is_shutting_down() {
                return;
            }
            pause = match begun.elapsed() >= STEADY {
                true => Duration::ZERO,
                false => (pause * 2).clamp(SHORTEST_PAUSE, LONGEST_PAUSE),
            };
            tracing::error!("{how}; it is started again in {} s", pause.as_secs_f64());
            sleep(pause).await;
            state.send_replace(State::Starting);
        }
    };
    tokio::select! {
        () = keep => {}
        () = state.closed() => {}
    }
}

/// One interpreter, from its start to its end, and how it ended.
async fn live(setup: &Setup, state: &watch::Sender<State>, first: &mut Option<First>) -> Result<String, LoadError> {
    let (spawned, ours) = spawn(setup).await?;
    let (line, requests) = Line::new();
    let mut served = pin!(serve(setup, spawned, ours, line.clone(), requests));
    let mut loading = pin!(load(setup, &line));
    let (loaded, ended) = tokio::select! {
        biased;
        loaded = &mut loading => (loaded, None),
        // What it had to say before is said by then.
        how = &mut served => (loading.await, Some(how)),
    };
    match (loaded, ended) {
        (Ok(registered), ended) => {
            state.send_replace(State::Serving(line.clone()));
            if let Some(first) = first.take() {
                // Nobody is left to tell if the start was given up.
                let _ = first.send(Ok(registered));
            }
            match ended {
                Some(how) => Ok(how),
                None => Ok(served.await),
            }
        }
        (Err(LoadError::Ended { given, .. }), Some(how)) => Err(LoadError::Ended { given, how }),
        (Err(cause), Some(_)) => Err(cause),
        (Err(cause), None) => {
            // What it printed of the reason comes first. Then it ends with its handle.
            let _ = timeout(LAST_LINES, served).await;
            Err(cause)
        }
    }
}

async fn spawn(setup: &Setup) -> Result<(Spawned, UnixStream), LoadError> {
    let (given, interpreter) = (setup.given.clone(), setup.interpreter.clone());
    let denied =
        |cause: ProcessDenial| LoadError::Denied { given: given.clone(), interpreter: interpreter.clone(), cause };
    let not_started = |cause: StartFailure| LoadError::NoInterpreter {
        given: given.clone(),
        interpreter: interpreter.clone(),
        cause,
    };
    let no_channel = |cause: io::Error| LoadError::Channel { given: given.clone(), cause };

    let argv = [&setup.interpreter, "-c", modules::BOOTSTRAP].map(str::to_owned).to_vec();
    let (guard, directory, word) = (setup.host.guard.clone(), setup.host.working_dir.clone(), argv.clone());
    let judged = tokio::task::spawn_blocking(move || guard.check(&word, &directory)).await;
    let program = judged.map_err(|_| not_started(StartFailure::ShuttingDown))?.map_err(denied)?;
    let (ours, theirs) = StdStream::pair().map_err(no_channel)?;
    ours.set_nonblocking(true).map_err(no_channel)?;
    let ours = UnixStream::from_std(ours).map_err(no_channel)?;
    let launch = Launch {
        program,
        argv,
        directory: Directory::Server,
        environment: ChildEnvironment::Exactly(setup.host.environment.clone()),
    };
    let stdio = Stdio {
        stdin: Input::Null,
        stdout: Output::Pipe,
        stderr: Output::Pipe,
        inherit: vec![(OwnedFd::from(theirs), CHANNEL)],
        terminal: None,
    };
    let spawned = setup.host.supervisor.spawn(launch, stdio).await.map_err(not_started)?;
    Ok((spawned, ours))
}

async fn load(setup: &Setup, line: &Line) -> Result<Registered, LoadError> {
    let given = || setup.given.clone();
    let modules = modules::all();
    let answer = timeout(LOADING, line.load(&modules, &setup.order)).await;
    let answer = answer.map_err(|_| LoadError::Slow { given: given(), seconds: LOADING.as_secs() })?;
    let text = answer.map_err(|refused| match refused {
        Refused::Failed(Failed { source, exit: Some(code), .. }) => {
            LoadError::Exit { given: source.unwrap_or_else(given), code }
        }
        Refused::Failed(Failed { class, text, source, exit: None }) => {
            let text = text.lines().next().unwrap_or_default().to_owned();
            LoadError::Raised { given: source.unwrap_or_else(given), class, text }
        }
        Refused::Ended(how) => LoadError::Ended { given: given(), how },
        Refused::NotBegun | Refused::Busy => {
            LoadError::Ended { given: given(), how: "the Python worker ended".to_owned() }
        }
    })?;
    let malformed = |cause: String| LoadError::Malformed { given: given(), cause };
    if text.size() > LARGEST {
        return Err(malformed(format!("more than {LARGEST} bytes")));
    }
    let parsed = tokio::task::spawn_blocking(move || {
        let text = text.read()?;
        Ok::<_, io::Error>(serde_json::from_slice::<Registered>(&text)?)
    });
    parsed.await.map_err(io::Error::other).flatten().map_err(|cause| malformed(cause.to_string()))
}

/// Serve calls until the interpreter has ended; how it did. Dropped before, the interpreter's tree is ended.
async fn serve(setup: &Setup, spawned: Spawned, ours: UnixStream, line: Arc<Line>, requests: Requests) -> String {
    let Spawned { child, stdin: _, stdout, stderr } = spawned;
    let (from, to) = ours.into_split();
    let mut reading = pin!(line.read(from, &setup.host.scratch));
    let mut writing = pin!(line.write(requests, to));
    let mut printing = pin!(async { tokio::join!(printed::log(stdout), printed::log(stderr)) });
    let (mut is_read, mut is_printed) = (false, false);
    let exit = loop {
        tokio::select! {
            exit = child.wait() => break exit,
            cause = &mut reading => {
                is_read = true;
                break broken(&child, &cause).await;
            }
            cause = &mut writing => break broken(&child, &cause).await,
            _ = &mut printing, if !is_printed => is_printed = true,
        }
    };
    // What it has answered and printed before its end is still on its way.
    let rest = async {
        if !is_read {
            (&mut reading).await;
        }
        if !is_printed {
            (&mut printing).await;
        }
    };
    let _ = timeout(LAST_LINES, rest).await;
    let how = match exit.code() {
        code @ 0.. => format!("the Python worker ended with exit code {code}"),
        signal => format!("the Python worker was ended by signal {}", signal.unsigned_abs()),
    };
    line.end(&how);
    how
}

/// The channel is gone: so is the interpreter, or it is of no more use.
async fn broken(child: &Child, cause: &io::Error) -> Exit {
    tracing::debug!(%cause, "the channel to the Python worker broke");
    if let Ok(exit) = timeout(LAST_LINES, child.wait()).await {
        return exit;
    }
    child.end().await;
    child.exit().unwrap_or(Exit::KILLED)
}
