//! Commands that Python files register: one interpreter, which loads them and then serves calls (`contract: commands §5`).
//!
//! Who owns what, and how it ends:
//!
//! * the **interpreter**, its pipes and its channel: the task of `owner`, which starts another one when it ends;
//! * the **task**: ends when the last `Python` is dropped, or with the supervisor;
//! * a **call**: whoever waits for its answer. One that nobody waits for any more runs on in the interpreter, and its
//!   result is dropped.
//!
//! | file | what it holds |
//! |---|---|
//! | `modules` | what the interpreter is given to run: embedded, sent through the channel |
//! | `frame` | the channel's format |
//! | `desk` | calls that wait for their answers |
//! | `channel` | reading and writing it |
//! | `spill` | results that arrive in parts |
//! | `printed` | what commands print |
//! | `owner` | starting, loading, serving, starting again |

mod channel;
mod desk;
mod frame;
mod modules;
mod owner;
mod printed;
mod spill;

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use crate::argument::Argument;
use crate::load::LoadError;
use crate::registry::Command;
use crate::source::Source;
use crate::target::{CallFailure, Host, Returned};
use crate::value::Values;
use channel::Line;
use desk::Refused;
use owner::State;

/// How long a call waits for an interpreter that is being started again.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often a call that was not begun is tried with another interpreter.
const ATTEMPTS: usize = 5;

/// What an interpreter is started with.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) host: Host,
    /// A name to look up on the PATH, or a path.
    pub(crate) interpreter: String,
    /// What it is to load. The same, texts included, each time.
    pub(crate) order: Bytes,
    /// A source that it loads, for errors.
    pub(crate) given: String,
}

/// What files and modules registered.
#[derive(Debug, Deserialize)]
pub(crate) struct Registered {
    /// For each source, in order.
    pub(crate) registered: Vec<Vec<Entry>>,
    pub(crate) switches: Vec<(String, bool)>,
    routes: Vec<String>,
}

/// One command, as the interpreter shows it.
#[derive(Debug, Deserialize)]
pub(crate) struct Entry {
    name: String,
    args: Vec<Argument>,
    description: String,
    hidden: bool,
    scopes: Vec<String>,
}

impl Entry {
    pub(crate) fn complete<T>(self, target: impl FnOnce(&str) -> T) -> Command<T> {
        let Self { name, args: arguments, description, hidden, scopes } = self;
        Command { target: target(&name), name, arguments, description, hidden, scopes }
    }
}

/// What the interpreter is told to load: sources, and the texts of those that are files.
pub(crate) fn order(sources: &[(Source, Option<Bytes>)]) -> Bytes {
    let mut argv = vec!["abxd".to_owned()];
    let mut listed = Vec::new();
    for (source, text) in sources {
        let text = base64::engine::general_purpose::STANDARD.encode(text.as_deref().unwrap_or_default());
        let given = source.given();
        listed.push(match source {
            Source::Module(name) => json!({"given": given, "module": name}),
            Source::Script { path, arguments } => {
                argv = std::iter::once(path.display().to_string()).chain(arguments.iter().cloned()).collect();
                file(&given, path, &text, true)
            }
            Source::File { path, .. } | Source::Declared { path, .. } => file(&given, path, &text, false),
        });
    }
    json!({"argv": argv, "sources": listed}).to_string().into()
}

fn file(given: &str, path: &std::path::Path, text: &str, is_script: bool) -> Value {
    json!({"given": given, "file": path.to_string_lossy(), "text": text, "is_script": is_script})
}

/// The interpreter, wherever it is in its life. Copies are the same one.
#[derive(Clone, Debug)]
pub(crate) struct Python {
    state: watch::Receiver<State>,
}

impl Python {
    /// Start an interpreter and let it load what it is to.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub(crate) async fn start(setup: Setup) -> Result<(Self, Registered), LoadError> {
        let (tell, state) = watch::channel(State::Starting);
        let (first, loaded) = oneshot::channel();
        let given = setup.given.clone();
        tokio::spawn(owner::own(setup, tell, first));
        let ended = LoadError::Ended { given: given.clone(), how: "the server is shutting down".to_owned() };
        let registered = loaded.await.map_err(|_| ended)??;
        if !registered.routes.is_empty() {
            return Err(LoadError::Routes { given, routes: registered.routes.join(", ") });
        }
        Ok((Self { state }, registered))
    }

    async fn call(&self, name: &str, values: &Values) -> Result<Returned, CallFailure> {
        // The values' text is JSON, with Python's additions.
        let request = format!(r#"{{"name":{},"arguments":{}}}"#, Value::from(name), values.to_python());
        let request = Bytes::from(request);
        let mut ended = None;
        for _ in 0..ATTEMPTS {
            let line = self.line(ended.as_ref()).await?;
            match line.call(request.clone()).await {
                Ok(result) => return Ok(Returned::Json(result)),
                Err(Refused::NotBegun) => ended = Some(line),
                Err(Refused::Busy) => return Err(CallFailure::Busy),
                Err(Refused::Failed(failed)) => {
                    return Err(CallFailure::Raised { class: failed.class, text: failed.text });
                }
                Err(Refused::Ended(how)) => return Err(CallFailure::raised("RuntimeError", how)),
            }
        }
        Err(CallFailure::raised("RuntimeError", "the Python worker ends again and again"))
    }

    /// The channel of an interpreter that serves, other than one that has ended.
    async fn line(&self, ended: Option<&Arc<Line>>) -> Result<Arc<Line>, CallFailure> {
        let mut state = self.state.clone();
        let is_settled = |state: &State| match state {
            State::Starting => false,
            State::Serving(line) => !ended.is_some_and(|ended| Arc::ptr_eq(ended, line)),
            State::Down(_) => true,
        };
        let settled = tokio::time::timeout(PATIENCE, state.wait_for(is_settled)).await;
        let unfit = |why: &str| Err(CallFailure::raised("RuntimeError", why));
        match settled {
            Ok(Ok(state)) => match &*state {
                State::Serving(line) => Ok(line.clone()),
                State::Down(why) => unfit(why),
                State::Starting => unfit("the Python worker is still starting"),
            },
            Ok(Err(_)) => unfit("the server is shutting down"),
            Err(_) => unfit("the Python worker is still starting"),
        }
    }
}

/// One function in the interpreter.
#[derive(Clone, Debug)]
pub struct Function {
    python: Python,
    name: Arc<str>,
}

impl Function {
    pub(crate) fn new(python: Python, name: &str) -> Self {
        Self { python, name: name.into() }
    }

    pub(crate) async fn call(&self, values: &Values) -> Result<Returned, CallFailure> {
        self.python.call(&self.name, values).await
    }
}
