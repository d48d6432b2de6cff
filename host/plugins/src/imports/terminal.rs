//! `abx:host/terminal`: sessions of the caller, whose shells the guards of the endpoint admit.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::UNIX_EPOCH;

use abxd_capabilities::process::{ChildEnvironment, Directory, Launch};
use abxd_capabilities::terminal::{self as machine, Caller, OpenFailure, Terminals};

use super::thread::blocking;
use crate::bindings::abx::host::failures::{Denial, Failure};
use crate::bindings::abx::host::terminal as wit;
use crate::exchange::Endpoint;
use crate::instance::State;

/// What every terminal is, unless the caller says otherwise (contract: terminal, session model).
const TERM: (&str, &str) = ("TERM", "xterm-256color");

/// Variables that would load code into every program: left out without a word (contract: terminal, step 8).
const LOADERS: [&str; 3] = ["LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES"];

impl State {
    fn terminals(&self) -> wasmtime::Result<(&Terminals, Caller)> {
        let identity = &self.call()?.identity;
        let caller = Caller { id: identity.id().clone(), sees_all: identity.scopes().holds_everything() };
        Ok((&self.machine()?.terminals, caller))
    }
}

impl wit::Host for State {
    async fn create(&mut self, shell: wit::Shell) -> wasmtime::Result<Result<wit::Session, Failure>> {
        let _wait = self.waits.begin();
        let endpoint = self.call()?.endpoint.clone();
        let (terminals, caller) = self.terminals()?;
        let terminals = terminals.clone();
        let most =
            endpoint.rule.limits().max_sessions().map_or(machine::MOST, |most| most.try_into().unwrap_or(usize::MAX));
        let size = size(shell.size);
        let launch = match blocking(move || judge(&endpoint, shell)).await? {
            Ok(launch) => launch,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(terminals.open(&caller, launch, size, most).await.map(session).map_err(Into::into))
    }

    fn list(&mut self) -> wasmtime::Result<Vec<wit::Session>> {
        let (terminals, caller) = self.terminals()?;
        Ok(terminals.list(&caller).into_iter().map(session).collect())
    }

    fn find(&mut self, id: String) -> wasmtime::Result<Option<wit::Session>> {
        let (terminals, caller) = self.terminals()?;
        Ok(terminals.find(&caller, &id).map(session))
    }

    fn resize(&mut self, id: String, wanted: wit::Size) -> wasmtime::Result<Option<wit::Session>> {
        let (terminals, caller) = self.terminals()?;
        Ok(terminals.resize(&caller, &id, size(wanted)).map(session))
    }

    async fn close(&mut self, id: String) -> wasmtime::Result<bool> {
        let _wait = self.waits.begin();
        let (terminals, caller) = self.terminals()?;
        Ok(terminals.clone().close(&caller, &id).await)
    }

    fn port(&mut self) -> wasmtime::Result<u16> {
        Ok(self.machine()?.terminal_port.load(Ordering::Relaxed))
    }
}

/// The shell as it may be started: checks in the contract's order (terminal, steps 3 to 8), the first refusal answers.
/// Blocks.
fn judge(endpoint: &Arc<Endpoint>, shell: wit::Shell) -> Result<Launch, Failure> {
    let (guards, params) = (&endpoint.programs, endpoint.rule.params());
    let variables = guards.environment.check(shell.variables)?;
    let argv = vec![shell.program];
    let program = guards.process.check(&argv, &guards.working_dir)?;
    if params.shells().is_some_and(|shells| !argv.iter().all(|shell| shells.contains(shell))) {
        return Err(Failure::Denied(Denial {
            code: "shell_not_allowed".to_owned(),
            message: "this shell is not allowed here".to_owned(),
        }));
    }
    let mut extra = variables.for_child(&guards.secrets, params.env_deny())?;
    extra.retain(|name| !LOADERS.contains(&name));
    let (name, value) = TERM;
    Ok(Launch {
        program,
        argv,
        directory: Directory::Server,
        environment: ChildEnvironment::Inherit { hidden: guards.hidden.clone(), extra: extra.with_usual(name, value) },
    })
}

fn size(size: wit::Size) -> machine::Size {
    machine::Size { cols: size.cols, rows: size.rows }
}

fn session(terminal: machine::Terminal) -> wit::Session {
    let created = terminal.created.duration_since(UNIX_EPOCH).unwrap_or_default();
    wit::Session {
        id: terminal.id.to_string(),
        pid: terminal.pid,
        created: u64::try_from(created.as_nanos()).unwrap_or(u64::MAX),
        size: wit::Size { cols: terminal.size.cols, rows: terminal.size.rows },
        alive: terminal.alive,
    }
}

impl From<OpenFailure> for Failure {
    fn from(failure: OpenFailure) -> Self {
        match failure {
            OpenFailure::Full => Self::Exhausted(failure.to_string()),
            OpenFailure::Terminal(cause) => cause.into(),
            OpenFailure::Start(cause) => cause.into(),
        }
    }
}
