//! Making a deployment.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use abxd_body::SpoolConfig;
use abxd_commands::{Registry, Target};
use abxd_guards::command::CommandGuard;
use abxd_guards::path::{PathGuard, Protected};
use abxd_guards::process::ProcessGuard;
use abxd_guards::url::{SystemResolver, UrlGuard};
use abxd_plugins::{Commands, Endpoint, ProgramGuards, Runtime};
use abxd_policy::{self as policy, Document, GroupSwitch, Identities, IdentityError, Limiter, PolicySet, ResolveError};

use super::{Added, Deployment, GroupsError, Handler, Served, commands, plugins};
use crate::table::{CORE, Table, TableError};
use crate::{core, machine};

/// What a deployment is made of.
pub struct Inputs<'a> {
    /// The policy document.
    pub document: &'a Document,
    /// Groups that a commands file switched, in order.
    pub switches: &'a [GroupSwitch],
    /// Commands that the operator registered.
    pub commands: &'a Registry<Target>,
    /// `ABX_SERVER_ENABLED_GROUPS`.
    pub enabled_groups: &'a str,
    /// `ABX_SERVER_BASE_DIR`, where it is set.
    pub base_dir: Option<PathBuf>,
    /// The directory that relative paths start from, a real path.
    pub working_dir: PathBuf,
    /// The server's own `PATH`: where programs are searched.
    pub search_path: OsString,
    /// Values of the variables that tokens name.
    pub token: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// The server's own files.
    pub protected: Arc<Protected>,
    /// Where values are kept aside.
    pub spool: SpoolConfig,
    /// What runs components. None: they are not loaded (`check-config`).
    pub runtime: Option<&'a Runtime>,
    /// Components of third parties.
    pub added: &'a [Added],
    /// The directory with the built-in components.
    pub builtin_dir: Option<PathBuf>,
    /// Buckets and slots in use.
    pub limiter: Arc<Limiter>,
}

/// Why there is no deployment.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The manifests make no table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The policy doesn't fit the table.
    #[error(transparent)]
    Policy(#[from] ResolveError),
    /// The groups can't be served together.
    #[error(transparent)]
    Groups(#[from] GroupsError),
    /// The tokens can't be used.
    #[error(transparent)]
    Identities(#[from] IdentityError),
}

impl BuildError {
    /// Whether it is the policy document that has to be changed, and not the environment or the program.
    #[must_use]
    pub fn is_in_document(&self) -> bool {
        match self {
            Self::Policy(cause) => matches!(
                cause,
                ResolveError::UnknownEndpoint { .. }
                    | ResolveError::UnknownGroup { .. }
                    | ResolveError::NotApplicable { .. }
            ),
            Self::Identities(_) => true,
            Self::Table(_) | Self::Groups(_) => false,
        }
    }
}

/// The directory that bounds every path where nothing else is said (contract: cli, image constants).
const BASE_DIR: &str = "/home/user";

impl Deployment {
    /// Make a deployment.
    ///
    /// # Errors
    /// See [`BuildError`]. A component that doesn't load is not an error: its group answers 503.
    pub fn build(inputs: Inputs<'_>) -> Result<Self, BuildError> {
        let table = Table::with(inputs.added.iter().map(|added| added.manifest.clone()))?;
        let layers = policy::Inputs { code: inputs.switches, enabled_groups: inputs.enabled_groups };
        let policy = PolicySet::resolve(table.catalog().clone(), inputs.document, &layers)?;
        let identities = Identities::new(inputs.document, inputs.token)?;
        let is_on =
            |group: &str| policy.rules().iter().any(|rule| rule.is_enabled() && *rule.endpoint().group == *group);
        let loaded = match inputs.runtime {
            Some(runtime) => plugins::load(
                runtime,
                table.manifests(),
                is_on,
                inputs.builtin_dir.as_deref(),
                inputs.document.plugins(),
                inputs.added,
            )?,
            None => plugins::Loaded::default(),
        };
        let base_dir = policy.base_dir().map(PathBuf::from).or(inputs.base_dir).unwrap_or_else(|| BASE_DIR.into());

        let (secrets, hidden) = machine::secret_names(&identities);
        let programs = ProgramGuards {
            process: Arc::new(ProcessGuard::new(&inputs.search_path, &inputs.working_dir)),
            environment: Arc::default(),
            command: Arc::default(),
            secrets: Arc::new(secrets),
            hidden: Arc::new(hidden),
            working_dir: inputs.working_dir.as_path().into(),
        };

        let serve = |(entry, rule): (&Arc<crate::table::Entry>, &Arc<policy::Rule>)| {
            let paths = machine::path_rule(rule.paths());
            let guard = PathGuard::new(paths, &base_dir, &inputs.working_dir, inputs.protected.clone());
            let endpoint = Endpoint {
                id: entry.facts.id.clone(),
                rule: rule.clone(),
                guard,
                urls: Arc::new(UrlGuard::new(machine::url_rule(rule.params()), Arc::new(SystemResolver))),
                programs: ProgramGuards {
                    command: Arc::new(CommandGuard::new(machine::command_rule(rule.params()))),
                    ..programs.clone()
                },
                extensions: Arc::new(machine::extension_rule(rule.params())),
                halves: entry.declared.halves.clone(),
                spool: inputs.spool.clone(),
                machine: inputs.runtime.and_then(|runtime| runtime.machine.clone()),
            };
            let handler = match *entry.facts.group == *CORE {
                true => core::handler(&entry.facts.id).map(Handler::Native),
                false => loaded.handlers.get(&*entry.facts.group).cloned(),
            };
            let handler = handler.unwrap_or_else(|| Handler::Absent("nothing serves this endpoint".into()));
            Arc::new(Served { entry: entry.clone(), rule: rule.clone(), endpoint: Arc::new(endpoint), handler })
        };
        let served: Vec<_> = table.entries().iter().zip(policy.rules()).map(serve).collect();
        let commands = Commands::new(commands::of_plugins(table.manifests(), &served), inputs.commands);
        Ok(Self {
            commands: Arc::new(commands),
            served,
            policy,
            identities,
            limiter: inputs.limiter,
            base_dir,
            plugins: loaded.states,
            spool: inputs.spool,
            table,
        })
    }
}
