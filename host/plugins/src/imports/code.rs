//! `abx:host/code`: interpreters, under the rule's `languages` and the process guard.

use std::time::Duration;

use abxd_capabilities::code::{self as machine, Language, Script};
use abxd_policy::Rule;

use super::children;
use super::thread::blocking;
use crate::bindings::abx::host::children as run;
use crate::bindings::abx::host::code as wit;
use crate::bindings::abx::host::failures::{Denial, Failure};
use crate::instance::State;

impl wit::Host for State {
    async fn run(
        &mut self,
        language: wit::Language,
        code: String,
        options: run::RunOptions,
    ) -> wasmtime::Result<Result<run::Finished, Failure>> {
        let _wait = self.waits.begin();
        let supervisor = self.machine()?.supervisor.clone();
        let call = self.call()?;
        let (endpoint, left) = (call.endpoint.clone(), call.client.left());
        let language = match language {
            wit::Language::Python => Language::Python,
            wit::Language::Node => Language::Node,
            wit::Language::Bash => Language::Bash,
        };
        if code.contains('\0') {
            return Ok(Err(Failure::Malformed("the code has a NUL in it".to_owned())));
        }
        if let Err(denial) = admit(&endpoint.rule, language) {
            return Ok(Err(denial));
        }
        let options = in_whole_seconds(options, &endpoint.rule);
        let (process, directory) = (endpoint.programs.process.clone(), endpoint.programs.working_dir.clone());
        let program = match blocking(move || process.check(&[language.program().to_owned()], &directory)).await? {
            Ok(program) => program,
            Err(denial) => return Ok(Err(denial.into())),
        };
        let script = Script { language, program, code, hidden: endpoint.programs.hidden.clone() };
        Ok(match machine::run(&supervisor, script, options, left).await {
            Ok(finished) => Ok(children::finished(finished, &mut self.table)?),
            Err(failure) => Err(failure.into()),
        })
    }
}

/// Whether the rule lists the language, in whatever case.
fn admit(rule: &Rule, language: Language) -> Result<(), Failure> {
    let listed = rule.params().languages();
    if listed.is_none_or(|listed| listed.iter().any(|name| name.to_lowercase() == language.name())) {
        return Ok(());
    }
    let message = format!("{} is not among the languages that may be run here", language.name());
    Err(Failure::Denied(Denial { code: "language_not_allowed".to_owned(), message }))
}

/// What the component asks for, within what the rule allows: whole seconds, at least one (`contract: dev_tools`).
fn in_whole_seconds(asked: run::RunOptions, rule: &Rule) -> abxd_capabilities::process::RunOptions {
    let timeout = Duration::from_millis(asked.timeout);
    let most = rule.limits().timeout_seconds().and_then(|seconds| Duration::try_from_secs_f64(seconds.trunc()).ok());
    abxd_capabilities::process::RunOptions {
        timeout: most.map_or(timeout, |most| timeout.min(most.max(LEAST))),
        ..children::options(asked, rule)
    }
}

/// Shortest time that a rule can cut a run to.
const LEAST: Duration = Duration::from_secs(1);
