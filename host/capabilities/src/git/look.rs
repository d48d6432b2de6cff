//! A run that looks at the working tree, through a stage.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use tokio::task::spawn_blocking;

use super::failure::interrupted;
use super::output::Output;
use super::repository::Repository;
use super::run::Order;
use super::stage::Stage;
use super::stages::Turn;
use super::{Git, GitFailure};

/// Where a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// At the root of the working tree, whatever its path leads to by now.
    Root,
    /// In the directory that was asked for.
    Start,
}

/// A run that is shown the working tree.
pub(super) struct Look {
    /// What git is to do, and how; not what is to be done with submodules.
    pub(super) arguments: Vec<String>,
    pub(super) from: From,
    pub(super) variables: Vec<(&'static str, OsString)>,
}

impl Git {
    /// Runs git on a stage of its own, which is gone when `read` has returned.
    ///
    /// # Errors
    /// As of [`Git::run`], and what git says where it fails.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        repository: &Arc<Repository>,
        look: Look,
        turn: &Turn,
        deadline: Instant,
        read: impl FnOnce(&mut Output) -> io::Result<T> + Send + 'static,
    ) -> Result<T, GitFailure> {
        let system = self.system(deadline, turn).await?;
        let is_bounded = system.is_some();
        let (shown, folder, held) = (Arc::clone(repository), Arc::clone(&self.stages.folder), turn.clone());
        let setting = spawn_blocking(move || {
            let stage = Stage::set(&shown, &folder)?;
            let bounds = system.map(|system| system.bounds(shown.places().chain([stage.directory()]))).transpose()?;
            drop(held);
            Ok::<_, GitFailure>((stage, bounds))
        });
        let (stage, bounds) = setting.await.map_err(interrupted)??;
        let own_path = stage.path().to_string_lossy().into_owned();
        let directory = match look.from {
            From::Root => &repository.root_directory,
            From::Start => &repository.start_directory,
        };
        let variables = stage.variables(repository).into_iter().chain(look.variables).collect();
        let mut arguments = look.arguments;
        // A submodule is a repository of its own, at a place of its own choice: only bounds hold a run back from there.
        let submodules = if is_bounded { "--ignore-submodules=dirty" } else { "--ignore-submodules=all" };
        arguments.insert(1.min(arguments.len()), submodules.to_owned());
        let order = Order { arguments, directory: directory.try_clone()?, variables, bounds, turn: turn.clone() };
        let read = move |output: &mut Output| {
            let made = read(output);
            drop(stage);
            made
        };
        match self.run(order, deadline, read).await?.success() {
            Err(GitFailure::Said(words)) => {
                Err(GitFailure::Said(words.replace(&own_path, &repository.common.to_string_lossy())))
            }
            done => done,
        }
    }
}
