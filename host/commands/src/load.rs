//! Filling the registry, before the server serves (`contract: commands §5`).

use std::io;
use std::time::Duration;

use abxd_capabilities::process::StartFailure;
use abxd_guards::file::{ReadFailure, read_whole_or_pipe};
use abxd_guards::process::ProcessDenial;
use bytes::Bytes;
use thiserror::Error;

use crate::declared::{self, DeclaredError};
use crate::python::{self, Function, Python};
use crate::registry::{Command, Registry};
use crate::source::{Order, Source};
use crate::target::{Host, Target};

/// The largest file with commands, in bytes.
const LARGEST: u64 = 16 << 20;

/// How long one may take to come through a pipe.
const PATIENCE: Duration = Duration::from_secs(30);

/// The interpreter, where none is named.
const INTERPRETER: &str = "python3";

/// All that the sources registered.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The commands.
    pub registry: Registry<Target>,
    /// Groups of endpoints that code turned on or off, in order (`contract: policy §5`, rank 1).
    pub switches: Vec<(String, bool)>,
}

/// Why there are no commands: the server does not start. One line each.
#[derive(Debug, Error)]
pub enum LoadError {
    /// A file can't be read.
    #[error("--commands {given}: {cause}")]
    Unreadable {
        /// The file, as it was given.
        given: String,
        /// Why.
        cause: ReadFailure,
    },
    /// A file declares what can't be.
    #[error("--commands {given}: {cause}")]
    Declared {
        /// The file, as it was given.
        given: String,
        /// What is wrong.
        cause: Box<DeclaredError>,
    },
    /// The guard refuses the interpreter.
    #[error("--commands {given}: the interpreter `{interpreter}`: {cause}")]
    Denied {
        /// A source that needs it.
        given: String,
        /// The interpreter.
        interpreter: String,
        /// Why.
        cause: ProcessDenial,
    },
    /// There is no interpreter, or it does not start.
    #[error("--commands {given}: Python commands need the interpreter `{interpreter}`: {cause}")]
    NoInterpreter {
        /// A source that needs it.
        given: String,
        /// The interpreter.
        interpreter: String,
        /// Why.
        cause: StartFailure,
    },
    /// The interpreter can't be spoken with.
    #[error("--commands {given}: no channel to the interpreter: {cause}")]
    Channel {
        /// A source that needs it.
        given: String,
        /// What the system says.
        cause: io::Error,
    },
    /// A file or module raised an error.
    #[error("--commands {given}: {class}: {text}")]
    Raised {
        /// The source, as it was given.
        given: String,
        /// The error's class.
        class: String,
        /// Its text, on one line.
        text: String,
    },
    /// A file or module ended the interpreter by an exit, whose code is the server's.
    #[error("--commands {given}: it ended the interpreter with exit code {code}")]
    Exit {
        /// The source, as it was given.
        given: String,
        /// The code.
        code: u8,
    },
    /// The interpreter ended.
    #[error("--commands {given}: {how}")]
    Ended {
        /// A source that it was to load.
        given: String,
        /// How.
        how: String,
    },
    /// Loading took too long.
    #[error("--commands {given}: not loaded within {seconds} s")]
    Slow {
        /// A source that was to be loaded.
        given: String,
        /// How long was waited.
        seconds: u64,
    },
    /// The worker's answer can't be read.
    #[error("--commands {given}: what it registers can't be read: {cause}")]
    Malformed {
        /// A source that was loaded.
        given: String,
        /// What is wrong.
        cause: String,
    },
    /// Code adds routes.
    #[error("--commands {given}: abxd serves no routes that code adds: {routes}")]
    Routes {
        /// A source that was loaded.
        given: String,
        /// The routes.
        routes: String,
    },
}

impl LoadError {
    /// The exit code that the server has to end with.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Exit { code, .. } => *code,
            _ => 1,
        }
    }
}

/// Load all sources in their order. Python's end in one interpreter, which is started here and has its owner from here on;
/// the owner ends when the registry is dropped, or with the supervisor.
///
/// # Errors
/// The first thing that is wrong; nothing runs then.
pub async fn load(order: &Order, host: &Host) -> Result<Loaded, LoadError> {
    let mut loaded = Loaded::default();
    let (mut declared, mut python) = (Vec::new(), Vec::new());
    for source in &order.sources {
        let text = match source.file() {
            Some(file) => Some(read(file.to_owned(), source.given()).await?),
            None => None,
        };
        if let Source::Declared { given, path } = source {
            let parsed = declared::parse(path, &text.unwrap_or_default(), host).await;
            declared
                .push(parsed.map_err(|cause| LoadError::Declared { given: given.clone(), cause: Box::new(cause) })?);
        } else {
            python.push((source.clone(), text));
        }
    }
    let mut registered = Vec::new();
    if let Some((first, _)) = python.first() {
        let given = first.given();
        let interpreter = order.interpreter.clone().unwrap_or_else(|| INTERPRETER.to_owned());
        let setup = python::Setup { host: host.clone(), interpreter, order: python::order(&python), given };
        let (worker, found) = Python::start(setup).await?;
        loaded.switches = found.switches;
        let function = |name: &str| Target::Python(Function::new(worker.clone(), name));
        for commands in found.registered {
            registered.push(commands.into_iter().map(|command| command.complete(function)).collect::<Vec<_>>());
        }
    }
    let (mut declared, mut registered) = (declared.into_iter(), registered.into_iter());
    for source in &order.sources {
        let commands: Option<Vec<Command<Target>>> =
            if source.is_python() { registered.next() } else { declared.next() };
        for command in commands.into_iter().flatten() {
            loaded.registry.register(command);
        }
    }
    Ok(loaded)
}

async fn read(file: std::path::PathBuf, given: String) -> Result<Bytes, LoadError> {
    let read = tokio::task::spawn_blocking(move || read_whole_or_pipe(&file, LARGEST, PATIENCE)).await;
    let read = read.map_err(|cause| ReadFailure::Os(io::Error::other(cause))).flatten();
    read.map(Bytes::from).map_err(|cause| LoadError::Unreadable { given, cause })
}
