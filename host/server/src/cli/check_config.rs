//! `abxd check-config` (contract: cli).

mod file_lint;
mod report;

use std::process::ExitCode;
use std::sync::Arc;

use abxd_body::SpoolConfig;
use abxd_commands::Registry;
use abxd_guards::path::Protected;
use abxd_plugins::{Cache, Runtime};
use abxd_policy::{Access, Document, GROUPS_VARIABLE, Identities, Identity, Limiter, Scopes, lint};

use super::start::{self, StartError, unfit};
use super::{CheckArgs, commands, complain, policy_source, print};
use crate::core::{Question, judge};
use crate::deployment::{Added, Deployment, Inputs, Source};

/// With --explain: the call would not be allowed.
const NOT_ALLOWED: u8 = 3;

/// With --strict: there are warnings.
const WARNINGS: u8 = 2;

/// Check a policy without serving it.
pub(super) fn check(args: &CheckArgs) -> ExitCode {
    match report_on(args) {
        Ok(code) => code,
        Err(cause) => {
            complain(cause);
            ExitCode::FAILURE
        }
    }
}

fn report_on(args: &CheckArgs) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let loaded = policy_source::load(args.policy.as_deref(), args.preset.as_deref())?;
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let working_dir = std::env::current_dir()?;
    let token = |name: &str| variable(name).map(std::os::unix::ffi::OsStringExt::into_vec);
    let identities = Identities::new(&loaded.document, &token).map_err(|cause| unfit(&loaded.place, cause.into()))?;
    let switches = commands::switches(&args.commands, &working_dir, identities.secret_names())?;
    let source = Source {
        places: args.plugin.iter().map(|place| working_dir.join(place)).collect(),
        grants: args.grant.clone(),
    };
    let (runtime, added) = plugins(&source, &loaded.document)?;
    let deployment = Deployment::build(Inputs {
        document: &loaded.document,
        switches: &switches,
        commands: &Registry::default(),
        enabled_groups: &variable(GROUPS_VARIABLE).unwrap_or_default().to_string_lossy(),
        base_dir: variable("ABX_SERVER_BASE_DIR").map(Into::into),
        working_dir,
        search_path: start::search_path(),
        token: &token,
        protected: Arc::new(Protected::nothing()),
        spool: SpoolConfig::default(),
        runtime: runtime.as_ref(),
        added: &added,
        builtin_dir: None,
        limiter: Arc::new(Limiter::default()),
    });
    let deployment = Arc::new(deployment.map_err(|cause| unfit(&loaded.place, cause))?);
    if let Some(endpoint) = &args.explain {
        return explain(&deployment, endpoint, args);
    }
    let mut warnings = lint(&deployment.policy, &deployment.identities);
    if let Some(file) = &args.policy {
        warnings.extend(file_lint::lint(file));
        warnings.sort();
    }
    if args.json {
        print(serde_json::to_string_pretty(&report::json(&deployment, &warnings))?);
    } else {
        print(report::text(&deployment, &warnings));
    }
    Ok(if args.strict && !warnings.is_empty() { ExitCode::from(WARNINGS) } else { ExitCode::SUCCESS })
}

/// The plugins that are named, checked as `serve` would, and what they are linked in. Where there are none nothing of
/// that is needed.
fn plugins(source: &Source, document: &Document) -> Result<(Option<Runtime>, Vec<Added>), StartError> {
    if source.places.is_empty() && source.grants.is_empty() && document.plugins().is_empty() {
        return Ok((None, Vec::new()));
    }
    let runtime = Runtime::new(abxd_engine::open(1)?.engine, 1);
    let added = start::added(source, document, &runtime, &start::compiler(Cache::new(None, false)), &[])?;
    Ok((Some(runtime), added))
}

fn explain(
    deployment: &Arc<Deployment>,
    endpoint: &str,
    args: &CheckArgs,
) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let identity = Identity::new("explain", Scopes::parse_list(&args.scopes)?);
    let question = Question {
        endpoint: endpoint.to_owned(),
        paths: args.path.iter().cloned().collect(),
        access: args.op.as_deref().and_then(Access::parse),
    };
    let verdict = judge(deployment, &identity, &question);
    print(serde_json::to_string_pretty(&verdict)?);
    Ok(if verdict.allowed { ExitCode::SUCCESS } else { ExitCode::from(NOT_ALLOWED) })
}
