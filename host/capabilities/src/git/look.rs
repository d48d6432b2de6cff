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
        deadline: Instant,
        read: impl FnOnce(&mut Output) -> io::Result<T> + Send + 'static,
    ) -> Result<T, GitFailure> {
        let (shown, scratch) = (Arc::clone(repository), Arc::clone(&self.scratch));
        let stage = spawn_blocking(move || Stage::set(&shown, &scratch)).await.map_err(interrupted)??;
        let own_path = stage.path().to_string_lossy().into_owned();
        let directory = match look.from {
            From::Root => &repository.root_directory,
            From::Start => &repository.start_directory,
        };
        let variables = stage.variables(repository).into_iter().chain(look.variables).collect();
        let order = Order { arguments: look.arguments, directory: directory.try_clone()?, variables };
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
