//! Running a declared command.

use std::time::Duration;

use abxd_capabilities::process::{
    Captured, CapturedText, ChildEnvironment, Directory, Finished, Launch, RunFailure, RunOptions, StartFailure,
};
use abxd_guards::process::{CheckedProgram, ProcessDenial};
use bytes::Bytes;
use rustix::io::Errno;
use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::template::Template;
use crate::target::{CallFailure, Host, Returned};
use crate::value::Values;

/// What stands for no time limit (`contract: process §1.1`).
const LONGEST: Duration = Duration::from_secs(2_147_483);

/// Bytes that are kept of each stream. More than that is an error, not a result that was cut.
const MOST_OUTPUT: u64 = 64 << 20;

/// Bytes of an error's text.
const MOST_TEXT: usize = 64 << 10;

/// What a program writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    #[default]
    Text,
    Json,
}

/// A declared command's program.
#[derive(Debug)]
pub struct Program {
    template: Template,
    timeout: Option<Duration>,
    form: Form,
    host: Host,
}

/// Why a program can't be run.
#[derive(Clone, Copy, Debug, Error)]
pub(super) enum Absent {
    #[error(transparent)]
    Denied(#[from] ProcessDenial),
    #[error(transparent)]
    Missing(#[from] abxd_guards::process::ProgramFailure),
    #[error("the server is shutting down")]
    Ending,
}

impl Program {
    pub(super) const fn new(template: Template, timeout: Option<Duration>, form: Form, host: Host) -> Self {
        Self { template, timeout, form, host }
    }

    pub(super) fn name(&self) -> &str {
        self.template.program()
    }

    /// Whether it is there now.
    pub(super) async fn exists(&self) -> Result<(), Absent> {
        self.look_up().await?.file()?;
        Ok(())
    }

    /// The file to run: looked up for each call, as it may be replaced meanwhile; what was judged is what runs (D40).
    async fn look_up(&self) -> Result<CheckedProgram, Absent> {
        let (guard, directory) = (self.host.guard.clone(), self.host.working_dir.clone());
        let word = vec![self.name().to_owned()];
        let looking = tokio::task::spawn_blocking(move || guard.check(&word, &directory));
        Ok(looking.await.map_err(|_| Absent::Ending)??)
    }

    /// Run it; its output is the result, unless it says that it failed.
    pub(crate) async fn call(&self, values: &Values) -> Result<Returned, CallFailure> {
        let program = self.look_up().await.map_err(|cause| match cause {
            Absent::Denied(_) => CallFailure::raised("PermissionError", cause.to_string()),
            Absent::Missing(cause) => not_started(cause.into()),
            Absent::Ending => CallFailure::raised("RuntimeError", cause.to_string()),
        })?;
        let launch = Launch {
            program,
            argv: self.template.words(values),
            directory: Directory::Server,
            environment: ChildEnvironment::Exactly(self.host.environment.clone()),
        };
        let options =
            RunOptions { timeout: self.timeout.unwrap_or(LONGEST).min(LONGEST), most_output: Some(MOST_OUTPUT) };
        // Whoever leaves drops this future, and with it the child.
        let finished = self.host.supervisor.run(launch, options, std::future::pending()).await;
        let finished = finished.map_err(|cause| match cause {
            RunFailure::Start(cause) => not_started(cause),
            RunFailure::Left | RunFailure::Output(_) => CallFailure::raised("OSError", cause.to_string()),
        })?;
        self.judge(finished).await
    }

    async fn judge(&self, finished: Finished) -> Result<Returned, CallFailure> {
        let Finished { exit, timed_out, stdout, stderr, .. } = finished;
        if timed_out {
            let seconds = self.timeout.unwrap_or(LONGEST).as_secs_f64();
            return Err(CallFailure::raised("TimeoutError", format!("the command took longer than {seconds} s")));
        }
        if !exit.is_success() {
            let text = beginning(stderr).await;
            let how = || match exit.code() {
                code @ 0.. => format!("the command ended with exit code {code}"),
                signal => format!("the command was ended by signal {}", signal.unsigned_abs()),
            };
            return Err(command_error(if text.is_empty() { how() } else { text }));
        }
        if stdout.truncated {
            return Err(command_error(format!("the command wrote more than {MOST_OUTPUT} bytes")));
        }
        match self.form {
            Form::Text => Ok(Returned::Text(stdout.text)),
            Form::Json => json(stdout.text).await,
        }
    }
}

fn command_error(text: impl Into<String>) -> CallFailure {
    CallFailure::raised("CommandError", text)
}

fn not_started(cause: StartFailure) -> CallFailure {
    let class = match cause.errno() {
        Errno::NOENT => "FileNotFoundError",
        Errno::ACCESS | Errno::PERM => "PermissionError",
        _ => "OSError",
    };
    CallFailure::raised(class, cause.to_string())
}

/// Output that has to be one JSON value.
async fn json(text: CapturedText) -> Result<Returned, CallFailure> {
    let checked = tokio::task::spawn_blocking(move || {
        let read = text.read()?;
        let is_json = serde_json::from_slice::<IgnoredAny>(&read).is_ok();
        Ok::<_, std::io::Error>(is_json.then_some(text))
    });
    match checked.await {
        Ok(Ok(Some(text))) => Ok(Returned::Json(text)),
        Ok(Ok(None)) => Err(command_error("the command did not write one JSON value")),
        Ok(Err(cause)) => Err(CallFailure::raised("OSError", cause.to_string())),
        Err(_) => Err(CallFailure::raised("RuntimeError", "the server is shutting down")),
    }
}

/// The beginning of what was written, without the last end of line.
async fn beginning(captured: Captured) -> String {
    let read = tokio::task::spawn_blocking(move || captured.text.read());
    let bytes = Bytes::from(read.await.ok().and_then(Result::ok).unwrap_or_default());
    let text = String::from_utf8_lossy(bytes.get(..MOST_TEXT).unwrap_or(&bytes)).into_owned();
    text.trim_end_matches(['\n', '\r']).to_owned()
}
