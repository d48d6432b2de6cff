//! `--commands`: what it names, loaded before the policy is resolved (contract: cli, order of a start).

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use abxd_capabilities::process::{self, Environment, Supervisor};
use abxd_commands::{Host, LoadError, Loaded, Order, Source, load};
use abxd_guards::process::ProcessGuard;
use abxd_policy::GroupSwitch;

use super::CommandsArgs;
use super::start::{StartError, search_path};

/// Commands, and what code decided about groups.
#[derive(Debug, Default)]
pub(super) struct Commands {
    pub(super) registry: abxd_commands::Registry<abxd_commands::Target>,
    pub(super) switches: Vec<GroupSwitch>,
}

/// All sources of a command line, in order.
pub(super) fn order(args: &CommandsArgs, working_dir: &Path) -> Order {
    let script = args.script.as_ref().map(|path| {
        let (path, arguments) = (working_dir.join(path), args.script_arg.clone());
        Source::Script { path, arguments }
    });
    let named = args.commands.iter().map(|given| Source::of(given, working_dir));
    Order { sources: script.into_iter().chain(named).collect(), interpreter: args.python.clone() }
}

/// Load them. The interpreter that Python needs is `supervisor`'s from here on. None of them sees a variable of `secrets`,
/// whether there are tokens or not (contract: commands §5).
pub(super) async fn begin(
    order: &Order,
    supervisor: &Supervisor,
    working_dir: &Path,
    secrets: &BTreeSet<String>,
) -> Result<Commands, LoadError> {
    if order.sources.is_empty() {
        return Ok(Commands::default());
    }
    let is_shown = |(name, _): &&(OsString, OsString)| !secrets.iter().any(|secret| name == secret.as_str());
    let host = Host {
        supervisor: supervisor.clone(),
        guard: Arc::new(ProcessGuard::new(&search_path(), working_dir)),
        working_dir: working_dir.to_owned(),
        environment: supervisor.environment().snapshot().iter().filter(is_shown).cloned().collect(),
        scratch: std::env::temp_dir().into(),
    };
    let Loaded { registry, switches } = load(order, &host).await?;
    let switches = switches.into_iter().map(|(group, enabled)| GroupSwitch { group, enabled }).collect();
    Ok(Commands { registry, switches })
}

/// What code decides about groups, for whoever serves nothing: everything is loaded and ended again.
pub(super) fn switches(
    args: &CommandsArgs,
    working_dir: &Path,
    secrets: &BTreeSet<String>,
) -> Result<Vec<GroupSwitch>, StartError> {
    let order = order(args, working_dir);
    if order.sources.is_empty() {
        return Ok(Vec::new());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(StartError::Runtime)?.block_on(async {
        let settings = process::Settings::new(std::env::temp_dir());
        let supervisor = Supervisor::start(Environment::inherited(), settings).map_err(StartError::Supervisor)?;
        let loaded = begin(&order, &supervisor, working_dir, secrets).await;
        supervisor.shutdown().await;
        Ok(loaded?.switches)
    })
}
