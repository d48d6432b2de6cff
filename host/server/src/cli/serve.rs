//! `abxd serve`: from the command line to a listening server, and to its end.
//!
//! Owns the runtime, the epoch ticker, the log's writer, the supervisor of all children, the terminals, the browser, the
//! reloading task, the terminal sockets and the two listeners; they end in the reverse order, but for sockets and
//! terminals, which are told to end as soon as the signal is there, and browser and children, which are once no request
//! waits for them, or none may any more.

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use abxd_http::{Listener, Settings};
use abxd_plugins::instance::Ticker;
use abxd_plugins::{Machine, Runtime};
use abxd_policy::lint;
use tokio::sync::watch;
use tokio::time::timeout;

use super::reload::{Reloader, Watched, make};
use super::start::{Moment, Start, StartError};
use super::{ServeArgs, complain};
use crate::deployment::{Deployment, SLOTS};
use crate::server::Server;
use crate::socket::Sockets;
use crate::{log, service};

/// Instances of components at once: those of the deployment in force, and of one that requests in flight still end on.
const INSTANCES: u32 = 2 * SLOTS;

/// Threads of the async runtime at least, also on one core: components that compute for long leave one of them to others.
const LEAST_WORKERS: usize = 2;

/// Threads for work that may block.
const BLOCKING_THREADS: usize = 256;

/// Bytes that the system may keep for a client of a terminal.
const TERMINAL_BUFFER: usize = 256 * 1024;

/// How long it may take to end all children: SIGTERM, a second, SIGKILL.
const ENDING_CHILDREN: Duration = Duration::from_millis(1_500);

/// How long the runtime may take to end what is left of such work.
const LAST_CALL: Duration = Duration::from_secs(2);

/// Serve until a signal says to stop.
pub(super) fn serve(args: ServeArgs) -> ExitCode {
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            complain(&cause);
            match cause {
                // A commands file may have ended the start with a code of its own.
                StartError::Commands(cause) => ExitCode::from(cause.exit_code()),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn run(args: ServeArgs) -> Result<(), StartError> {
    let mut start = Start::read(args)?;
    let _log = log::begin(start.args.log, start.args.audit_file.as_deref())
        .map_err(|cause| StartError::AuditFile { file: start.args.audit_file.clone().unwrap_or_default(), cause })?;
    let engine = abxd_engine::open(INSTANCES)?;
    if let abxd_engine::Allocation::OnDemand { reason } = &engine.allocation {
        tracing::warn!(reason, "components are served without a pool of memory");
    }
    let _ticker = Ticker::start(&engine.engine).map_err(StartError::Ticker)?;
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get).max(LEAST_WORKERS);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(workers)
        .max_blocking_threads(BLOCKING_THREADS)
        .build()
        .map_err(StartError::Runtime)?;
    let (supervisor, mut signals) = {
        let _inside = runtime.enter();
        (start.supervisor()?, Signals::new().map_err(StartError::Signals)?)
    };
    let loaded = runtime.block_on(async {
        tokio::select! {
            loaded = start.load_commands(&supervisor) => Some(loaded),
            _ = signals.next() => None,
        }
    });
    let Some(Ok(())) = loaded else {
        runtime.block_on(supervisor.shutdown());
        return loaded.unwrap_or(Ok(()));
    };
    let start = Arc::new(start);
    let browser = start.browser(&supervisor);
    let machine = Machine::new(supervisor, browser, start.scratch.path(), start.pty_port);
    let components = Runtime::new(engine.engine, workers).with(machine.clone());
    let mut watched = Watched::new(&start);
    let (deployment, added) = make(&start, Moment::Start, &components, &[], &mut watched)?;
    announce(&start, &deployment);
    let served = runtime.block_on(async {
        let server = Server::new(deployment);
        let reloader = Reloader::new(start.clone(), components.clone(), server.clone(), added, watched);
        let reloading = tokio::spawn(reloader.map_err(StartError::Signals)?.run());
        let served = listen(&start, server, &machine, signals).await;
        reloading.abort();
        served
    });
    runtime.shutdown_timeout(LAST_CALL);
    served
}

/// What an operator should know of this start.
fn announce(start: &Start, deployment: &Deployment) {
    if let Some(cause) = start.scratch.failure() {
        tracing::warn!(%cause, "no folder for temporary files: git can't be asked");
    }
    if start.args.dev {
        tracing::warn!("--dev: callers can reach the server's own files; never use it in production");
    }
    for warning in lint(&deployment.policy, &deployment.identities).iter().chain(deployment.policy.hints()) {
        tracing::warn!("{warning}");
    }
    if !deployment.identities.has_tokens() && deployment.identities.anonymous().is_some() {
        tracing::warn!("no token is configured: everybody who reaches the port may do everything");
    }
}

async fn listen(start: &Start, server: Arc<Server>, machine: &Machine, mut signals: Signals) -> Result<(), StartError> {
    if let Err(cause) = abxd_http::raise_descriptor_limit() {
        tracing::warn!(%cause, "the limit of open files stays as it is");
    }
    let terminal = server
        .deployment()
        .served
        .iter()
        .any(|served| *served.entry.facts.group == *"terminal" && served.rule.is_enabled());
    let http = Listener::bind(&start.args.host, start.port)?;
    let pty = if terminal { Some(Listener::bind(&start.args.host, start.pty_port)?) } else { None };
    let (stop, stopped) = watch::channel(());
    tracing::info!("listening on http://{}", http.local_addr());
    let ended = || {
        let mut stopped = stopped.clone();
        async move {
            // An error means that the sender is gone, which is the signal too.
            let _ = stopped.changed().await;
        }
    };
    let sockets = Sockets::new(server.clone(), machine.terminals.clone());
    let settings = Settings::default();
    let mut http = tokio::spawn(abxd_http::serve(http, service::http(server), settings, ended()));
    let pty = pty.map(|pty| {
        machine.terminal_port.store(pty.local_addr().port(), Ordering::Relaxed);
        tokio::spawn(abxd_http::serve(pty, service::terminal(sockets.clone()), terminal_settings(), ended()))
    });
    let signal = signals.next().await;
    let for_commands = settings.grace.saturating_sub(ENDING_CHILDREN);
    tracing::info!(
        "{signal}: no more connections, requests in flight get {} s, commands {} s",
        settings.grace.as_secs_f32(),
        for_commands.as_secs_f32(),
    );
    drop(stop);
    sockets.stop();
    machine.terminals.shutdown().await;
    // Commands in flight may come to their end by themselves; those that do not are ended while they can still be answered.
    let drained = timeout(for_commands, &mut http).await;
    tokio::join!(machine.browser.shutdown(), machine.supervisor.shutdown());
    let http = match drained {
        Ok(ended) => ended,
        Err(_) => http.await,
    };
    let pty = match pty {
        Some(pty) => Some(pty.await),
        None => None,
    };
    for ended in [Some(http), pty].into_iter().flatten() {
        if let Err(cause) = ended {
            tracing::error!(%cause, "a listener broke down");
        }
    }
    sockets.ended().await;
    Ok(())
}

/// What a client of a terminal has not taken should wait in the terminal, where the next keystroke can still stop it.
fn terminal_settings() -> Settings {
    Settings { send_buffer: Some(TERMINAL_BUFFER), ..Settings::default() }
}

/// The signals that end the server, also where it is PID 1 and they would be ignored otherwise.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}
