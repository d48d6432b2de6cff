//! A command of a request, from the component's words to a launch. Blocks.

use std::sync::Arc;

use abxd_capabilities::process::{ChildEnvironment, Directory, Launch};
use abxd_guards::path::{Access, CheckedPath, OpenFailure, PathDenial};

use crate::bindings::abx::host::failures::{Denial, Failure};
use crate::bindings::abx::host::process as wit;
use crate::exchange::{Endpoint, Trail};
use crate::instance::State;

/// What the judging of commands needs of a call.
#[derive(Clone)]
pub(super) struct Judge {
    endpoint: Arc<Endpoint>,
    trail: Trail,
}

impl Judge {
    pub(super) fn of(state: &State) -> wasmtime::Result<Self> {
        let call = state.call()?;
        Ok(Self { endpoint: call.endpoint.clone(), trail: call.trail.clone() })
    }

    /// The command as it may be started: checks in the contract's order (process §1.3, steps 3 to 11), the first refusal
    /// answers.
    pub(super) fn command(&self, command: wit::Command) -> Result<Launch, Failure> {
        let (guards, paths) = (&self.endpoint.programs, &self.endpoint.guard);
        // A program is looked up from the directory, whose own refusal has a later turn. Nothing runs then, so the
        // server's stands in for it.
        let directory = command.directory.as_deref().map(|raw| paths.check(raw, Access::Exec)).transpose();
        let place = match &directory {
            Ok(Some(directory)) => directory.real(),
            Ok(None) | Err(_) => &guards.working_dir,
        };
        let program = guards.process.check(&command.words, place)?;
        let variables = command.variables.into_iter().map(|(name, value)| (name, Some(value)));
        let variables = guards.environment.check(variables)?;
        let argv = guards.command.check(command.words, paths, place)?.into_argv();
        let directory = directory.map_err(about_directory)?;
        let extra = variables.for_child(&guards.secrets, &[] as &[&str])?;
        Ok(Launch {
            program,
            argv,
            directory: directory.map_or(Ok(Directory::Server), |directory| self.enter(&directory))?,
            environment: ChildEnvironment::Inherit { hidden: guards.hidden.clone(), extra },
        })
    }

    fn enter(&self, directory: &CheckedPath) -> Result<Directory, Failure> {
        let entered = Directory::of(directory).map_err(|failure| match failure {
            OpenFailure::Denied(denial) => about_directory(denial),
            _ => Failure::Missing("the working directory is not an existing directory".to_owned()),
        });
        entered.inspect(|_| self.trail.note(directory.real()))
    }
}

fn about_directory(denial: PathDenial) -> Failure {
    Failure::Denied(Denial { code: denial.code().to_owned(), message: ["cwd: ", &denial.to_string()].concat() })
}
