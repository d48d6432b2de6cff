//! `abx:host/git`: what git knows of a working tree, under the path rule of the endpoint that is being served.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;

use abxd_capabilities::git::{self as machine, Git, Pathspec};
use abxd_guards::path::{Access, CheckedPath, PathDenial, PathGuard};

use super::thread::blocking;
use crate::bindings::abx::host::failures::{Denial, Failure};
use crate::bindings::abx::host::git as wit;
use crate::exchange::{Source, Trail};
use crate::instance::State;

impl wit::Host for State {
    async fn status(&mut self, directory: Vec<u8>) -> wasmtime::Result<Result<wit::WorkingTree, wit::GitFailure>> {
        let _wait = self.waits.begin();
        let most = self.limiter.room_for(CHANGE);
        let ask = Ask::of(self)?;
        let directory = match ask.directory(directory).await? {
            Ok(directory) => directory,
            Err(denial) => return Ok(Err(denied(denial, ""))),
        };
        let left = self.call()?.client.left();
        Ok(tokio::select! {
            tree = ask.git.status(&ask.guard, directory, most) => tree.map(working_tree).map_err(Into::into),
            // What was asked is dropped, and ends.
            () = left => Err(nobody_waits()),
        })
    }

    async fn diff(
        &mut self,
        directory: Vec<u8>,
        options: wit::DiffOptions,
    ) -> wasmtime::Result<Result<wit::Patch, wit::GitFailure>> {
        let _wait = self.waits.begin();
        let ask = Ask::of(self)?;
        let directory = match ask.directory(directory).await? {
            Ok(directory) => directory,
            Err(denial) => return Ok(Err(denied(denial, ""))),
        };
        let (directory, only) = match ask.only(directory, options.file).await? {
            Ok(both) => both,
            Err(failure) => return Ok(Err(failure)),
        };
        let most = usize::try_from(options.max_output).unwrap_or(usize::MAX).min(LONGEST_TEXT);
        let options = machine::DiffOptions { staged: options.staged, only, most };
        let left = self.call()?.client.left();
        let patch = tokio::select! {
            patch = ask.git.diff(&ask.guard, directory, options) => patch,
            () = left => return Ok(Err(nobody_waits())),
        };
        match patch {
            Ok(patch) => Ok(Ok(wit::Patch {
                text: self.table.push(Source::memory(patch.text.into_bytes().into()))?,
                truncated: patch.truncated,
                files: patch.files,
                insertions: patch.insertions,
                deletions: patch.deletions,
            })),
            Err(failure) => Ok(Err(failure.into())),
        }
    }
}

/// Bytes that one change takes in a component's memory, without its names.
const CHANGE: usize = 32;

/// Longest text that is kept for an answer, in bytes.
const LONGEST_TEXT: usize = 16 << 20;

/// What asking git needs of a call.
struct Ask {
    git: Git,
    guard: Arc<PathGuard>,
    trail: Trail,
}

impl Ask {
    fn of(state: &State) -> wasmtime::Result<Self> {
        let (call, machine) = (state.call()?, state.machine()?);
        let endpoint = &call.endpoint;
        let programs = &endpoint.programs;
        let git = Git::new(machine.supervisor.clone(), programs.process.clone(), machine.stages.clone());
        Ok(Self { git, guard: endpoint.guard.clone(), trail: call.trail.clone() })
    }

    async fn directory(&self, raw: Vec<u8>) -> wasmtime::Result<Result<CheckedPath, PathDenial>> {
        let (guard, trail) = (self.guard.clone(), self.trail.clone());
        blocking(move || guard.check(&raw, Access::Read).inspect(|checked| trail.note(checked.real()))).await
    }

    /// Judges the file in the directory (`contract: dev_tools`, order of `git_diff`). Without one everything would be
    /// shown, which a rule with patterns is there to prevent.
    async fn only(
        &self,
        directory: CheckedPath,
        file: Option<Vec<u8>>,
    ) -> wasmtime::Result<Result<(CheckedPath, Option<Pathspec>), wit::GitFailure>> {
        let Some(file) = file else {
            let denies = self.guard.denies_some();
            return Ok(if denies { Err(denied(PathDenial::Denied, "")) } else { Ok((directory, None)) });
        };
        let (guard, trail) = (self.guard.clone(), self.trail.clone());
        blocking(move || {
            let place = directory.real().join(OsStr::from_bytes(&file));
            let checked = guard.check(place.as_os_str().as_bytes(), Access::Read);
            let checked = checked.map_err(|denial| denied(denial, "file: "))?;
            if Path::new(OsStr::from_bytes(&file)).components().any(|part| part.as_os_str() == "..") {
                let message = "file must not have `..` in it".to_owned();
                return Err(wit::GitFailure::Other(Failure::Malformed(message)));
            }
            trail.note(checked.real());
            let text = std::ffi::OsString::from_vec(file);
            Ok((directory, Some(Pathspec { text, literal: guard.narrows() })))
        })
        .await
    }
}

fn working_tree(tree: machine::WorkingTree) -> wit::WorkingTree {
    let change = |change: machine::Change| wit::Change {
        index: change.index.into(),
        work_tree: change.work_tree.into(),
        path: change.path.into_vec(),
        old_path: change.old_path.map(OsStringExt::into_vec),
    };
    wit::WorkingTree {
        head: tree.head,
        changes: tree.changes.into_iter().map(change).collect(),
        truncated: tree.truncated,
    }
}

fn denied(denial: PathDenial, about: &str) -> wit::GitFailure {
    let message = [about, &denial.to_string()].concat();
    wit::GitFailure::Other(Failure::Denied(Denial { code: denial.code().to_owned(), message }))
}

fn nobody_waits() -> wit::GitFailure {
    wit::GitFailure::Other(Failure::CutOff("the client has left".to_owned()))
}

impl From<machine::GitFailure> for wit::GitFailure {
    fn from(failure: machine::GitFailure) -> Self {
        match failure {
            machine::GitFailure::Denied(denial) => denied(denial, ""),
            machine::GitFailure::Program(denial) => Self::Other(denial.into()),
            machine::GitFailure::Start(cause) => Self::Other(cause.into()),
            machine::GitFailure::Said(words) => Self::Said(words),
            machine::GitFailure::TimedOut => Self::TimedOut,
            machine::GitFailure::Os(errno) => Self::Other(std::io::Error::from(errno).into()),
        }
    }
}
