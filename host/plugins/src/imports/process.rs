//! `abx:host/process`: programs, under the guards of the endpoint that is being served.
//!
//! A command is judged and started in one go on a thread that may block. What runs belongs to the supervisor; here are
//! only the handles of places that are taken and not used yet, which go with the component's table.

mod convert;
mod judge;
mod lines;

use std::time::Duration;

use abxd_capabilities::process::{Place, Signal, StartOptions, Stdio};
use wasmtime::component::Resource;

use super::children;
use super::thread::blocking;
use crate::bindings::abx::host::children as run;
use crate::bindings::abx::host::failures::{Denial, Failure, OsError};
use crate::bindings::abx::host::process as wit;
use crate::exchange::EventStream;
use crate::instance::State;
use judge::Judge;

/// Longest wait for output.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

impl wit::HostPlace for State {
    async fn drop(&mut self, place: Resource<Place>) -> wasmtime::Result<()> {
        self.table.delete(place)?;
        Ok(())
    }
}

impl wit::Host for State {
    async fn run(
        &mut self,
        command: wit::Command,
        options: run::RunOptions,
    ) -> wasmtime::Result<Result<run::Finished, Failure>> {
        let _wait = self.waits.begin();
        let (judge, supervisor) = (Judge::of(self)?, self.machine()?.supervisor.clone());
        let options = children::options(options, &self.call()?.endpoint.rule);
        let left = self.call()?.client.left();
        let starter = supervisor.clone();
        let start = move || Ok(starter.spawn_here(judge.command(command)?, Stdio::captured())?);
        let spawned = match blocking(start).await? {
            Ok(spawned) => spawned,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(match supervisor.finish(spawned, options, left).await {
            Ok(finished) => Ok(children::finished(finished, &mut self.table)?),
            Err(failure) => Err(failure.into()),
        })
    }

    async fn stream(
        &mut self,
        command: wit::Command,
        options: run::RunOptions,
    ) -> wasmtime::Result<Result<Resource<EventStream>, Failure>> {
        let _wait = self.waits.begin();
        let (judge, supervisor) = (Judge::of(self)?, self.machine()?.supervisor.clone());
        let options = children::options(options, &self.call()?.endpoint.rule);
        let left = self.call()?.client.left();
        let starter = supervisor.clone();
        let start = move || Ok(starter.spawn_here(judge.command(command)?, Stdio::captured())?);
        Ok(match blocking(start).await? {
            Ok(spawned) => Ok(self.table.push(lines::events(supervisor.lines(spawned, options), left))?),
            Err(failure) => Err(failure),
        })
    }

    async fn reserve(&mut self, most: u32) -> wasmtime::Result<Result<Resource<Place>, Failure>> {
        let limit = self.call()?.endpoint.rule.limits().max_processes();
        let most = limit.and_then(|limit| u32::try_from(limit).ok()).map_or(most, |limit| most.min(limit));
        let none = || Failure::Exhausted("as many processes run as may at once".to_owned());
        let _wait = self.waits.begin();
        let background = self.machine()?.supervisor.background().clone();
        Ok(match background.reserve_soon(most).await {
            Some(place) => Ok(self.table.push(place)?),
            None => Err(none()),
        })
    }

    async fn start(
        &mut self,
        place: Resource<Place>,
        command: wit::Command,
        options: wit::StartOptions,
    ) -> wasmtime::Result<Result<u32, Failure>> {
        let _wait = self.waits.begin();
        let place = self.table.delete(place)?;
        let (judge, supervisor) = (Judge::of(self)?, self.machine()?.supervisor.clone());
        let limit = self.call()?.endpoint.rule.limits().max_output_bytes();
        let options = StartOptions {
            label: options.label,
            capture: options.capture.map(|capture| limit.map_or(capture, |limit| capture.min(limit))),
            stdin: options.stdin,
        };
        let start = move || Ok(supervisor.background().start_here(place, judge.command(command)?, options)?);
        blocking(start).await
    }

    fn list(&mut self) -> wasmtime::Result<Vec<wit::Child>> {
        let most = self.limiter.room_for(convert::CHILD);
        Ok(self.machine()?.supervisor.background().list().into_iter().take(most).map(convert::child).collect())
    }

    fn find(&mut self, pid: u32) -> wasmtime::Result<Option<wit::Child>> {
        Ok(self.machine()?.supervisor.background().find(pid).map(convert::child))
    }

    async fn signal(&mut self, pid: u32, signal: i32) -> wasmtime::Result<Result<(), Failure>> {
        let _wait = self.waits.begin();
        let allowed = self.call()?.endpoint.rule.params().allowed_signals();
        if allowed.is_some_and(|allowed| !allowed.contains(&signal.into())) {
            let (code, message) = ("signal_not_allowed".to_owned(), "this signal is not allowed".to_owned());
            return Ok(Err(Failure::Denied(Denial { code, message })));
        }
        if pid == 1 || pid == std::process::id() {
            let message = "this process is not signalled".to_owned();
            return Ok(Err(Failure::Os(OsError { errno: EPERM, message })));
        }
        let Some(signal) = Signal::from_named_raw(signal) else {
            return Ok(Err(Failure::Os(OsError { errno: EINVAL, message: "there is no such signal".to_owned() })));
        };
        let supervisor = self.machine()?.supervisor.clone();
        Ok(supervisor.background().signal(pid, signal).await.map_err(convert::signal_failure))
    }

    async fn write(
        &mut self,
        pid: u32,
        data: Vec<u8>,
        close: bool,
    ) -> wasmtime::Result<Result<u64, wit::WriteFailure>> {
        let _wait = self.waits.begin();
        let supervisor = self.machine()?.supervisor.clone();
        Ok(supervisor.background().write(pid, &data, close).await.map_err(convert::write_failure))
    }

    async fn output(&mut self, pid: u32, since: u64, wait: u64) -> wasmtime::Result<Option<wit::Page>> {
        let _wait = self.waits.begin();
        let supervisor = self.machine()?.supervisor.clone();
        let wait = Duration::from_millis(wait).min(LONGEST_WAIT);
        let page = supervisor.background().output(pid, since, wait).await;
        page.map(|page| convert::page(page, &mut self.table)).transpose()
    }
}

/// Operation not permitted.
const EPERM: u16 = 1;
/// Invalid argument.
const EINVAL: u16 = 22;
