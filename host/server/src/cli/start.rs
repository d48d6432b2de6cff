//! What `serve` knows before it begins: settings from the command line and the environment, the policy, the secrets.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_guards::path::Protected;
use abxd_policy::{Document, Identities, IdentityError, TOKEN_VARIABLE};

use super::policy_source::{self, SourceError};
use super::{ServeArgs, complain};

/// Default port of the terminal socket.
const PTY_PORT: u16 = 9001;

/// Why the server does not start: one line on stderr, exit code 1.
#[derive(Debug, thiserror::Error)]
pub(super) enum StartError {
    #[error("{0}")]
    Source(#[from] SourceError),
    #[error("policy: {0}")]
    Identities(#[from] IdentityError),
    #[error("--commands {0}: commands files are not served by this version yet")]
    Commands(String),
    #[error("port {0} is out of range")]
    Port(i64),
    #[error("the working directory can't be told: {0}")]
    WorkingDir(std::io::Error),
    #[error(transparent)]
    Build(#[from] crate::deployment::BuildError),
    #[error(transparent)]
    Engine(#[from] abxd_engine::EngineError),
    #[error("no thread for the components' clock: {0}")]
    Ticker(std::io::Error),
    #[error("the async runtime does not start: {0}")]
    Runtime(std::io::Error),
    #[error("audit file {file}: {cause}")]
    AuditFile { file: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    Bind(#[from] abxd_http::BindError),
    #[error("signals can't be handled: {0}")]
    Signals(std::io::Error),
}

/// Settings that are read once.
pub(super) struct Start {
    pub(super) args: ServeArgs,
    pub(super) document: Document,
    pub(super) port: u16,
    pub(super) pty_port: u16,
    pub(super) base_dir: Option<PathBuf>,
    pub(super) working_dir: PathBuf,
    pub(super) builtin_dir: Option<PathBuf>,
    pub(super) enabled_groups: String,
    pub(super) secrets: HashMap<String, Vec<u8>>,
    pub(super) protected: Arc<Protected>,
}

impl Start {
    /// Read everything. Must run while the process has one thread: the secrets leave its environment here.
    pub(super) fn read(args: ServeArgs) -> Result<Self, StartError> {
        if let Some(commands) = args.commands.first() {
            return Err(StartError::Commands(commands.clone()));
        }
        let port = port(args.port)?;
        let pty_port = match args.pty_port {
            Some(given) => self::port(given)?,
            None => variable("ABX_PTY_PORT").and_then(|text| text.trim().parse().ok()).unwrap_or(PTY_PORT),
        };
        let base_dir = args.base_dir.clone().or_else(|| variable("ABX_SERVER_BASE_DIR").map(PathBuf::from));
        let working_dir = std::env::current_dir().map_err(StartError::WorkingDir)?;
        let base_dir = base_dir.map(|directory| working_dir.join(directory));
        let mut loaded = policy_source::load(args.policy.as_deref(), args.preset.as_deref())?;
        if variable(TOKEN_VARIABLE).is_some() {
            loaded.document.add_server_token();
        }
        let builtin_dir = args.builtin_dir.clone().map(|directory| working_dir.join(directory)).or_else(beside_program);
        let own = [&loaded.file, &builtin_dir, &args.audit_file];
        let own: Vec<_> = own.into_iter().flatten().map(|path| working_dir.join(path)).collect();
        let protected = if args.dev { Protected::nothing() } else { Protected::new(own) };
        let secrets = take_secrets(&loaded.document)?;
        Ok(Self {
            document: loaded.document,
            port,
            pty_port,
            base_dir,
            working_dir,
            builtin_dir,
            enabled_groups: variable(abxd_policy::GROUPS_VARIABLE).unwrap_or_default(),
            secrets,
            protected: Arc::new(protected),
            args,
        })
    }
}

fn port(given: i64) -> Result<u16, StartError> {
    u16::try_from(given).map_err(|_| StartError::Port(given))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The built-in components as they are packaged: beside the program, or where its distribution keeps them.
fn beside_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let directory = program.parent()?;
    let places = [directory.join("builtin"), directory.join("../lib/abxd/builtin")];
    places.into_iter().find(|place| Path::is_dir(place))
}

/// Take the values of the secret variables out of the environment (decision D43). Without tokens there is nothing to
/// keep from children, and they inherit everything (contract: policy §3).
fn take_secrets(document: &Document) -> Result<HashMap<String, Vec<u8>>, StartError> {
    let read = |name: &str| std::env::var_os(name).map(std::os::unix::ffi::OsStringExt::into_vec);
    let identities = Identities::new(document, &read)?;
    let names: Vec<String> = identities.secret_names().iter().cloned().collect();
    let secrets = names.iter().filter_map(|name| Some((name.clone(), read(name)?))).collect();
    if identities.has_tokens()
        && let Err(cause) = abxd_sys::environment::wipe(&names)
    {
        complain(format_args!("the tokens stay in the environment: {cause}"));
    }
    if let Err(cause) = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable) {
        complain(format_args!("the process stays dumpable: {cause}"));
    }
    Ok(secrets)
}
