//! `abx:host/files`: the file system, under the path rule of the endpoint that is being served.
//!
//! Every function judges its paths and acts on what was judged in one go on a thread that may block.

mod convert;
mod save;
mod tree;
mod watch;

use std::sync::Arc;

use abxd_capabilities::files as machine;
use abxd_guards::path::{Access, CheckedPath, OwnPath, PathGuard};
use wasmtime::component::Resource;

use super::thread::blocking;
use crate::bindings::abx::host::failures::Failure;
use crate::bindings::abx::host::files as wit;
use crate::exchange::{EventStream, Source, Trail, Upload};
use crate::instance::State;

/// What the judging of paths needs of a call.
#[derive(Clone)]
struct Judge {
    guard: Arc<PathGuard>,
    trail: Trail,
}

impl Judge {
    fn of(state: &State) -> wasmtime::Result<Self> {
        let call = state.call()?;
        Ok(Self { guard: call.endpoint.guard.clone(), trail: call.trail.clone() })
    }

    fn path(&self, raw: &[u8], access: Access) -> Result<CheckedPath, Failure> {
        let checked = self.guard.check(raw, access)?;
        self.trail.note(checked.real());
        Ok(checked)
    }

    /// The first refusal answers.
    fn paths(&self, raw: &[Vec<u8>], access: Access) -> Result<Vec<CheckedPath>, Failure> {
        let judged = self.guard.check_each(raw.iter().map(Vec::as_slice), access);
        judged.map(|path| Ok(path.inspect(|path| self.trail.note(path.real()))?)).collect()
    }

    fn own_path(&self, raw: &[u8], access: Access) -> Result<OwnPath, Failure> {
        let own = self.guard.check_own(raw, access)?;
        self.trail.note(own.path());
        Ok(own)
    }
}

impl wit::Host for State {
    async fn stat(&mut self, path: Vec<u8>) -> wasmtime::Result<Result<wit::Described, Failure>> {
        let _wait = self.waits.begin();
        let judge = Judge::of(self)?;
        blocking(move || {
            let checked = judge.path(&path, Access::Read)?;
            let facts = machine::stat(&checked)?;
            Ok(convert::described(&checked, facts))
        })
        .await
    }

    async fn read_directory(
        &mut self,
        path: Vec<u8>,
        options: wit::ListOptions,
    ) -> wasmtime::Result<Result<Vec<wit::Entry>, Failure>> {
        let _wait = self.waits.begin();
        let judge = Judge::of(self)?;
        let most = self.limiter.room_for(convert::ENTRY);
        blocking(move || {
            let checked = judge.path(&path, Access::Read)?;
            let entries = machine::list(&checked, &convert::list_options(options, most))?;
            Ok(entries.into_iter().map(convert::entry).collect())
        })
        .await
    }

    async fn watch(
        &mut self,
        path: Vec<u8>,
        options: wit::WatchOptions,
    ) -> wasmtime::Result<Result<Resource<EventStream>, Failure>> {
        let _wait = self.waits.begin();
        let watched = watch::watch(Judge::of(self)?, path, options).await?;
        Ok(match watched {
            Ok(events) => Ok(self.table.push(events)?),
            Err(failure) => Err(failure),
        })
    }

    async fn search(
        &mut self,
        path: Vec<u8>,
        options: wit::SearchOptions,
    ) -> wasmtime::Result<Result<wit::Found, Failure>> {
        let _wait = self.waits.begin();
        let most = self.limiter.room_for(convert::HIT);
        tree::search(Judge::of(self)?, path, options, most).await
    }

    async fn archive(
        &mut self,
        paths: Vec<Vec<u8>>,
        options: wit::ArchiveOptions,
    ) -> wasmtime::Result<Result<Resource<Source>, Failure>> {
        let _wait = self.waits.begin();
        let (directory, client) = (self.call()?.endpoint.spool.directory.clone(), self.call()?.client.clone());
        let archived = tree::archive(Judge::of(self)?, paths, options, directory, client).await?;
        Ok(match archived {
            Ok(source) => Ok(self.table.push(source)?),
            Err(failure) => Err(failure),
        })
    }

    async fn make_directory(&mut self, path: Vec<u8>) -> wasmtime::Result<Result<Vec<u8>, Failure>> {
        let _wait = self.waits.begin();
        let judge = Judge::of(self)?;
        blocking(move || {
            let checked = judge.path(&path, Access::Write)?;
            machine::make_dir(&checked)?;
            Ok(convert::bytes(checked.real()))
        })
        .await
    }

    async fn remove(&mut self, path: Vec<u8>) -> wasmtime::Result<Result<Vec<u8>, Failure>> {
        let _wait = self.waits.begin();
        let judge = Judge::of(self)?;
        blocking(move || {
            let own = judge.own_path(&path, Access::Delete)?;
            machine::remove(&own)?;
            Ok(convert::bytes(own.path()))
        })
        .await
    }

    async fn rename(
        &mut self,
        source: Vec<u8>,
        destination: Vec<u8>,
    ) -> wasmtime::Result<Result<wit::Moved, wit::MoveFailure>> {
        let _wait = self.waits.begin();
        let judge = Judge::of(self)?;
        let about = |side| move |cause| wit::MoveFailure { side, cause };
        blocking(move || {
            let from = judge.own_path(&source, Access::Delete).map_err(about(wit::Side::Source))?;
            let to = judge.own_path(&destination, Access::Write).map_err(about(wit::Side::Destination))?;
            machine::rename(&from, &to).map_err(|cause| about(wit::Side::Both)(cause.into()))?;
            Ok(wit::Moved { source: convert::bytes(from.path()), destination: convert::bytes(to.target().real()) })
        })
        .await
    }

    async fn open(&mut self, path: Vec<u8>) -> wasmtime::Result<Result<wit::Opened, Failure>> {
        let _wait = self.waits.begin();
        let judge = Judge::of(self)?;
        let most = self.call()?.endpoint.rule.limits().max_bytes();
        let opened = blocking(move || {
            let checked = judge.path(&path, Access::Read)?;
            let opened = machine::open(&checked)?;
            match most {
                Some(most) if opened.facts.size > most => Err(Failure::TooLarge(most)),
                _ => Ok((convert::bytes(checked.real()), opened)),
            }
        })
        .await?;
        Ok(match opened {
            Ok((path, machine::OpenFile { file, facts })) => {
                let content = self.table.push(Source::file(file, facts.size))?;
                Ok(wit::Opened { path, metadata: convert::metadata(&facts), content })
            }
            Err(failure) => Err(failure),
        })
    }

    fn max_upload(&mut self) -> wasmtime::Result<u64> {
        Ok(save::most(self.call()?))
    }

    async fn save(
        &mut self,
        path: Vec<u8>,
        content: Resource<Upload>,
        options: wit::SaveOptions,
    ) -> wasmtime::Result<Result<wit::Saved, Failure>> {
        let _wait = self.waits.begin();
        let content = self.table.delete(content)?;
        save::save(Judge::of(self)?, save::Order::of(self.call()?, path, options), content).await
    }
}
