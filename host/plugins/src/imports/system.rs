//! `abx:host/system`: facts of the machine, and the environment that children begin with.

use std::net::SocketAddr;

use abxd_capabilities::process::EnvironmentFull;
use abxd_capabilities::system::{self as machine, LookupFailure, PackageManager};
use abxd_guards::environment::{EnvDenial, VariableRule};
use abxd_guards::process::{CheckedProgram, ProcessDenial};

use super::thread::blocking;
use crate::bindings::abx::host::failures::{Failure, OsError};
use crate::bindings::abx::host::system as wit;
use crate::exchange::{Endpoint, ProgramGuards};
use crate::instance::State;

impl wit::Host for State {
    async fn facts(&mut self) -> wasmtime::Result<wit::Machine> {
        let _wait = self.waits.begin();
        let uptime = self.machine()?.started.elapsed().as_secs_f64();
        Ok(described(blocking(machine::facts).await?, uptime))
    }

    async fn python_version(&mut self) -> wasmtime::Result<Option<String>> {
        let _wait = self.waits.begin();
        let ours = self.machine()?.clone();
        if let Some(known) = ours.python.known() {
            return Ok(known.map(str::to_owned));
        }
        let Ok(program) = found(&self.call()?.endpoint.programs, PackageManager::Pip.program()).await? else {
            return Ok(None);
        };
        let version = ours.python.version(&ours.supervisor, program).await;
        Ok(version.ok().flatten().map(str::to_owned))
    }

    fn variables(&mut self) -> wasmtime::Result<Vec<(String, String)>> {
        let endpoint = &self.call()?.endpoint;
        let (rule, secrets) = (variable_rule(endpoint), &endpoint.programs.secrets);
        let variables = self.machine()?.supervisor.environment().snapshot();
        let texts = variables.iter().map(|(name, value)| (name.to_string_lossy(), value.to_string_lossy()));
        let shown = texts.filter(|(name, _)| rule.shows(name, secrets));
        Ok(shown.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    fn set_variables(&mut self, variables: Vec<(String, Option<String>)>) -> wasmtime::Result<Result<(), Failure>> {
        let endpoint = self.call()?.endpoint.clone();
        let guards = &endpoint.programs;
        let judged = guards.environment.check(variables);
        let checked = judged.and_then(|judged| judged.for_server(&guards.secrets, &variable_rule(&endpoint)));
        let checked = match checked {
            Ok(checked) => checked,
            Err(denial @ EnvDenial::Fixed) => return Ok(Err(Failure::Refused(denial.to_string()))),
            Err(denial) => return Ok(Err(denial.into())),
        };
        Ok(self.machine()?.supervisor.environment().set(checked).map_err(Failure::from))
    }

    async fn listening(&mut self) -> wasmtime::Result<Vec<wit::Listener>> {
        let _wait = self.waits.begin();
        let most = self.limiter.room_for(LISTENER);
        Ok(blocking(machine::listeners).await?.into_iter().take(most).map(listener).collect())
    }

    async fn packages(&mut self, manager: wit::PackageManager) -> wasmtime::Result<Result<Option<Vec<u8>>, Failure>> {
        let _wait = self.waits.begin();
        let manager = match manager {
            wit::PackageManager::Pip => PackageManager::Pip,
            wit::PackageManager::Npm => PackageManager::Npm,
        };
        let (supervisor, endpoint) = (self.machine()?.supervisor.clone(), self.call()?.endpoint.clone());
        let left = self.call()?.client.left();
        let program = match found(&endpoint.programs, manager.program()).await? {
            Ok(program) => program,
            Err(denial) => return Ok(Err(denial.into())),
        };
        let asked = machine::packages(&supervisor, manager, program, &endpoint.programs.working_dir);
        Ok(tokio::select! {
            said = asked => said.map_err(Failure::from),
            // What was asked is dropped, and ends.
            () = left => Err(Failure::CutOff("the client has left".to_owned())),
        })
    }
}

/// Bytes that one socket takes in a component's memory, without its address.
const LISTENER: usize = 24;

/// The program that a bare word stands for.
async fn found(guards: &ProgramGuards, word: &'static str) -> wasmtime::Result<Result<CheckedProgram, ProcessDenial>> {
    let (process, directory) = (guards.process.clone(), guards.working_dir.clone());
    blocking(move || process.check(&[word.to_owned()], &directory)).await
}

/// Which variables the endpoint's rule admits.
fn variable_rule(endpoint: &Endpoint) -> VariableRule {
    let params = endpoint.rule.params();
    VariableRule { allow: params.allow_vars().map(<[_]>::to_vec), deny: params.deny_vars().to_vec() }
}

fn described(facts: machine::Facts, uptime: f64) -> wit::Machine {
    wit::Machine {
        os: facts.os,
        arch: facts.arch,
        hostname: facts.hostname,
        cpus: facts.cpus,
        memory: wit::Memory { total: facts.memory.total, available: facts.memory.available },
        disk: facts.disk.map(|disk| wit::Disk { total: disk.total, free: disk.free, available: disk.available }),
        load: facts.load,
        uptime,
        limits: wit::Limits { memory: facts.limits.memory, cpu: facts.limits.cpu },
    }
}

fn listener(listener: machine::Listener) -> wit::Listener {
    wit::Listener {
        port: listener.address.port(),
        v6: matches!(listener.address, SocketAddr::V6(_)),
        address: listener.address.ip().to_string(),
        pid: listener.pid,
    }
}

/// Connection timed out: what Python raises `TimeoutError` for.
const ETIMEDOUT: u16 = 110;

impl From<LookupFailure> for Failure {
    fn from(failure: LookupFailure) -> Self {
        match failure {
            LookupFailure::Start(cause) => cause.into(),
            LookupFailure::TimedOut => Self::Os(OsError { errno: ETIMEDOUT, message: failure.to_string() }),
            LookupFailure::Output(errno) => std::io::Error::from(errno).into(),
        }
    }
}

impl From<EnvironmentFull> for Failure {
    fn from(full: EnvironmentFull) -> Self {
        Self::Malformed(full.to_string())
    }
}

#[cfg(test)]
mod tests {
    use abxd_capabilities::system::Listener;

    use super::listener;

    #[test]
    fn addresses_are_as_they_are() {
        for (address, shown, v6) in [
            ("127.0.0.1:80", "127.0.0.1", false),
            ("0.0.0.0:80", "0.0.0.0", false),
            ("[::1]:80", "::1", true),
            ("[::]:80", "::", true),
            ("[fe80::1]:80", "fe80::1", true),
            ("[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", true),
        ] {
            let listener = listener(Listener { address: address.parse().unwrap(), pid: None });
            assert_eq!((&*listener.address, listener.v6, listener.port), (shown, v6, 80));
        }
    }
}
