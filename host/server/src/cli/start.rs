//! What `serve` knows before it begins: settings from the command line and the environment, the policy, the secrets.

mod own_files;

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_body::SpoolConfig;
use abxd_browser::Browser;
use abxd_browser::network::Network;
use abxd_capabilities::process::{self, Account, AccountError, Supervisor};
use abxd_commands::LoadError;
use abxd_guards::file::is_pipe;
use abxd_guards::path::Protected;
use abxd_guards::process::ProcessGuard;
use abxd_guards::url::UrlRule;
use abxd_plugins::{Cache, Compiler, Runtime};
use abxd_policy::{Document, Identities, IdentityError, Limiter, TOKEN_VARIABLE};

use super::commands::{self, Commands};
use super::policy_source::{self, SourceError};
use super::scratch::Scratch;
use super::{ServeArgs, complain};
use crate::deployment::{Added, AddedError, BuildError, Deployment, Inputs, Source};
use crate::table::{self, TableError};

/// Default port of the terminal socket.
const PTY_PORT: u16 = 9001;

/// Why the server does not start: one line on stderr, exit code 1.
#[derive(Debug, thiserror::Error)]
pub(super) enum StartError {
    #[error("{0}")]
    Source(#[from] SourceError),
    #[error(transparent)]
    Commands(#[from] LoadError),
    #[error("port {0} is out of range")]
    Port(i64),
    #[error("the working directory can't be told: {0}")]
    WorkingDir(std::io::Error),
    #[error(transparent)]
    Build(BuildError),
    #[error(transparent)]
    Plugin(#[from] AddedError),
    #[error(transparent)]
    Engine(#[from] abxd_engine::EngineError),
    #[error("no thread for the components' clock: {0}")]
    Ticker(std::io::Error),
    #[error("--child-user {name}: {cause}")]
    ChildUser { name: String, cause: AccountError },
    #[error("children can't be supervised: {0}")]
    Supervisor(std::io::Error),
    #[error("the async runtime does not start: {0}")]
    Runtime(std::io::Error),
    #[error("audit file {file}: {cause}")]
    AuditFile { file: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    Bind(#[from] abxd_http::BindError),
    #[error("signals can't be handled: {0}")]
    Signals(std::io::Error),
}

/// The variables that hold secrets, and what they held when the server was started.
struct Secrets {
    names: BTreeSet<String>,
    values: HashMap<String, Vec<u8>>,
}

/// When a policy is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Start,
    Reload,
}

/// What `serve` was started with.
pub(super) struct Start {
    pub(super) args: ServeArgs,
    pub(super) port: u16,
    pub(super) pty_port: u16,
    /// The document of the start; read again from `policy_file` where that is its source.
    document: Document,
    policy_file: Option<PathBuf>,
    /// Whether there is nothing more to come from it.
    policy_is_pipe: bool,
    /// What messages about it begin with.
    policy_place: String,
    base_dir: Option<PathBuf>,
    working_dir: PathBuf,
    builtin_dir: Option<PathBuf>,
    enabled_groups: String,
    secrets: Secrets,
    compiler: Compiler,
    protected: Arc<Protected>,
    limiter: Arc<Limiter>,
    /// Who children run as, if not as the server's user.
    child_user: Option<Account>,
    pub(super) scratch: Scratch,
    /// What `--commands` named: loaded once, and never again.
    commands: Commands,
}

impl Start {
    /// Read everything. Must run while the process has one thread: the secrets leave its environment here.
    pub(super) fn read(mut args: ServeArgs) -> Result<Self, StartError> {
        let port = port(args.port)?;
        let pty_port = match args.pty_port {
            Some(given) => self::port(given)?,
            None => variable("ABX_PTY_PORT").and_then(|text| text.trim().parse().ok()).unwrap_or(PTY_PORT),
        };
        let working_dir = std::env::current_dir().map_err(StartError::WorkingDir)?;
        let absolute = |path: PathBuf| working_dir.join(path);
        args.plugin = args.plugin.into_iter().map(absolute).collect();
        let base_dir =
            args.base_dir.clone().or_else(|| variable("ABX_SERVER_BASE_DIR").map(PathBuf::from)).map(absolute);
        let builtin_dir = args.builtin_dir.clone().map(absolute).or_else(beside_program);
        let cache = args.plugin_cache.clone().map(absolute);
        let mut loaded = policy_source::load(args.policy.as_deref(), args.preset.as_deref())?;
        if variable(TOKEN_VARIABLE).is_some() {
            loaded.document.add_server_token();
        }
        let policy_file = loaded.file.map(absolute);
        let policy_is_pipe = policy_file.as_deref().is_some_and(is_pipe);
        let compiler = compiler(Cache::new(cache.clone(), args.dev));
        let scratch = Scratch::make();
        let protected = if args.dev {
            Protected::nothing()
        } else {
            let well_known = Some(PathBuf::from(policy_source::WELL_KNOWN));
            let audit_file = args.audit_file.clone().map(absolute);
            let own = [policy_file.clone(), well_known, builtin_dir.clone(), audit_file, cache];
            let order = commands::order(&args.commands, &working_dir);
            let commands = order.sources.iter().filter_map(|source| source.file().map(Path::to_owned));
            let own = own.into_iter().flatten().chain(args.plugin.iter().cloned()).chain(commands);
            let of_program = own_files::of_program(&compiler.program, builtin_dir.as_deref());
            Protected::new(own.chain(scratch.own().map(Path::to_owned)).chain(of_program))
        };
        let child_user = match &args.child_user {
            Some(name) => {
                Some(Account::named(name).map_err(|cause| StartError::ChildUser { name: name.clone(), cause })?)
            }
            None => None,
        };
        let secrets = take_secrets(&loaded.document).map_err(|cause| unfit(&loaded.place, cause.into()))?;
        Ok(Self {
            port,
            pty_port,
            document: loaded.document,
            policy_file,
            policy_is_pipe,
            policy_place: loaded.place,
            base_dir,
            working_dir,
            builtin_dir,
            enabled_groups: variable(abxd_policy::GROUPS_VARIABLE).unwrap_or_default(),
            secrets,
            compiler,
            protected: Arc::new(protected),
            limiter: Arc::default(),
            child_user,
            scratch,
            commands: Commands::default(),
            args,
        })
    }

    /// The owner of all children. Must be called inside the runtime, after [`Start::read`].
    pub(super) fn supervisor(&self) -> Result<Supervisor, StartError> {
        let own = self.child_user.iter().flat_map(Account::variables);
        let mut settings = process::Settings::new(std::env::temp_dir());
        settings.user = self.child_user.as_ref().map(|account| account.user().clone());
        Supervisor::start(std::env::vars_os().chain(own).collect(), settings).map_err(StartError::Supervisor)
    }

    /// The browser, of which nothing is started yet.
    pub(super) fn browser(&self, supervisor: &Supervisor) -> Browser {
        Browser::new(abxd_browser::Settings {
            supervisor: supervisor.clone(),
            guard: ProcessGuard::new(&search_path(), &self.working_dir),
            working_dir: self.working_dir.clone(),
            program: variable("ABX_BROWSER_BIN"),
            // As they are at the start: what requests set later is for other children.
            variables: supervisor.environment().snapshot().to_vec(),
            user: self.child_user.as_ref().map(|account| account.user().clone()),
            scratch: self.scratch.path().to_path_buf(),
            rule: UrlRule::default(),
            network: Network::system(),
        })
    }

    /// Load what `--commands` names, before the first deployment. Must be called inside the runtime.
    pub(super) async fn load_commands(&mut self, supervisor: &Supervisor) -> Result<(), StartError> {
        let order = commands::order(&self.args.commands, &self.working_dir);
        self.commands = commands::begin(&order, supervisor, &self.working_dir, &self.secrets.names).await?;
        Ok(())
    }

    /// Load it only for what it decides about groups.
    pub(super) fn load_switches(&mut self) -> Result<(), StartError> {
        self.commands.switches = commands::switches(&self.args.commands, &self.working_dir, &self.secrets.names)?;
        Ok(())
    }

    /// The files that a reload reads when the policy is `document`.
    pub(super) fn files(&self, document: &Document) -> Vec<PathBuf> {
        let named = document.plugins().iter().filter_map(|plugin| plugin.file.as_ref()).map(PathBuf::from);
        self.policy_file.iter().chain(&self.args.plugin).cloned().chain(named).collect()
    }

    /// The server's own files, kept from callers.
    pub(super) fn protected(&self) -> &Protected {
        &self.protected
    }

    /// Make a deployment out of a policy, and of the plugins as they are now. Code of `known` plugins is used again. What
    /// the policy names is protected before it is read, and stays so. Blocks.
    ///
    /// # Errors
    /// The first thing that is wrong; nothing has changed then.
    pub(super) fn deployment(
        &self,
        document: &Document,
        runtime: &Runtime,
        known: &[Added],
    ) -> Result<(Deployment, Vec<Added>), StartError> {
        let before = self.protected.add(own_files::of_policy(document));
        let made = self.build(document, runtime, known);
        match &made {
            // Those of a directory may be links.
            Ok((_, added)) => drop(self.protected.add(added.iter().map(|added| added.file().to_owned()))),
            Err(_) => self.protected.restore(before),
        }
        made
    }

    fn build(
        &self,
        document: &Document,
        runtime: &Runtime,
        known: &[Added],
    ) -> Result<(Deployment, Vec<Added>), StartError> {
        let source = Source { places: self.args.plugin.clone(), grants: self.args.grant.clone() };
        let added = added(&source, document, runtime, &self.compiler, known)?;
        let deployment = Deployment::build(Inputs {
            document,
            switches: &self.commands.switches,
            commands: &self.commands.registry,
            enabled_groups: &self.enabled_groups,
            base_dir: self.base_dir.clone(),
            working_dir: self.working_dir.clone(),
            search_path: search_path(),
            token: &|name| self.token(name),
            protected: self.protected.clone(),
            spool: SpoolConfig::default(),
            runtime: Some(runtime),
            added: &added,
            builtin_dir: self.builtin_dir.clone(),
            limiter: self.limiter.clone(),
        })
        .map_err(|cause| unfit(&self.policy_place, cause))?;
        Ok((deployment, added))
    }

    /// The policy of the start.
    pub(super) const fn first_document(&self) -> &Document {
        &self.document
    }

    /// The policy as it is now; at the start itself a pipe has been read to its end.
    pub(super) fn document(&self, moment: Moment) -> Result<Document, StartError> {
        let Some(file) = &self.policy_file else { return Ok(self.document.clone()) };
        if moment == Moment::Start && self.policy_is_pipe {
            return Ok(self.document.clone());
        }
        let preset = self.args.policy.as_ref().and(self.args.preset.as_deref());
        let mut document = policy_source::load_again(file, preset)?;
        if self.token(TOKEN_VARIABLE).is_some_and(|token| !token.is_empty()) {
            document.add_server_token();
        }
        Ok(document)
    }

    /// A token: as it was at start, or from the environment for a variable that the policy did not name then.
    fn token(&self, name: &str) -> Option<Vec<u8>> {
        let now = || std::env::var_os(name).map(std::os::unix::ffi::OsStringExt::into_vec);
        self.secrets.values.get(name).cloned().or_else(now)
    }
}

/// Read, check and compile the plugins that the command line and the policy name. Blocks.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn added(
    source: &Source,
    document: &Document,
    runtime: &Runtime,
    compiler: &Compiler,
    known: &[Added],
) -> Result<Vec<Added>, StartError> {
    let built_in = table::manifests().map_err(TableError::from).map_err(BuildError::from).map_err(StartError::Build)?;
    Ok(Added::all(source, document.plugins(), &built_in, &runtime.engine, compiler, known)?)
}

/// A failure of a deployment, with the document's place where it is the document's.
pub(super) fn unfit(place: &str, cause: BuildError) -> StartError {
    match cause.is_in_document() {
        true => SourceError::Unfit { place: place.to_owned(), cause: Box::new(cause) }.into(),
        false => StartError::Build(cause),
    }
}

fn port(given: i64) -> Result<u16, StartError> {
    u16::try_from(given).map_err(|_| StartError::Port(given))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The compiler of components, which lies beside the program.
pub(super) fn compiler(cache: Cache) -> Compiler {
    Compiler { program: std::env::current_exe().unwrap_or_default().with_file_name("abxd-compiler"), cache }
}

/// Where programs are searched: `PATH`, or what a C library takes where there is none.
pub(super) fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into())
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
fn take_secrets(document: &Document) -> Result<Secrets, IdentityError> {
    let read = |name: &str| std::env::var_os(name).map(std::os::unix::ffi::OsStringExt::into_vec);
    let identities = Identities::new(document, &read)?;
    let names: Vec<String> = identities.secret_names().iter().cloned().collect();
    let values = names.iter().filter_map(|name| Some((name.clone(), read(name)?))).collect();
    if identities.has_tokens()
        && let Err(cause) = abxd_sys::environment::wipe(&names)
    {
        complain(format_args!("the tokens stay in the environment: {cause}"));
    }
    if let Err(cause) = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable) {
        complain(format_args!("the process stays dumpable: {cause}"));
    }
    Ok(Secrets { names: names.into_iter().collect(), values })
}
