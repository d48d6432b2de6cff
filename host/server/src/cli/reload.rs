//! Reloading policy and plugins: on SIGHUP, and when their files change.
//!
//! The new set is made and checked whole, beside the one that serves, and then swapped in; if anything is wrong with it,
//! the old one stays. Files are watched only where children of the server can't write (decision D44): a policy that an
//! agent could edit is not taken from it.
//!
//! The task that runs [`Reloader::run`] owns the reloader; it ends when the server does.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{Access, access};
use tokio::signal::unix::{Signal, SignalKind, signal};
use wasmtime::Engine;

use super::start::{Start, StartError};
use crate::deployment::Added;
use crate::server::Server;

/// Time between two looks at the files.
const LOOK: Duration = Duration::from_secs(1);

/// Makes new deployments out of what `serve` was started with.
pub(super) struct Reloader {
    start: Arc<Start>,
    engine: Engine,
    server: Arc<Server>,
    added: Arc<Vec<Added>>,
    hangup: Signal,
}

/// What tells one state of the files from another: device, inode, size, and times of content and inode.
type Fingerprint = BTreeMap<PathBuf, Option<(u64, u64, u64, i64, i64, i64, i64)>>;

impl Reloader {
    /// A reloader for a server that serves `added`. From here on SIGHUP does not end the process.
    pub(super) fn new(
        start: Arc<Start>,
        engine: Engine,
        server: Arc<Server>,
        added: Vec<Added>,
    ) -> std::io::Result<Self> {
        let hangup = signal(SignalKind::hangup())?;
        Ok(Self { start, engine, server, added: Arc::new(added), hangup })
    }

    /// Reload when there is a reason to, until dropped.
    pub(super) async fn run(mut self) {
        let mut seen = self.look().await;
        loop {
            tokio::select! {
                hung_up = self.hangup.recv() => match hung_up {
                    Some(()) => self.reload("SIGHUP").await,
                    None => return,
                },
                () = tokio::time::sleep(LOOK) => {
                    let now = self.look().await;
                    if now != seen {
                        self.reload("a file changed").await;
                    }
                    seen = now;
                }
            }
        }
    }

    async fn reload(&mut self, reason: &str) {
        let (start, engine, added) = (self.start.clone(), self.engine.clone(), self.added.clone());
        let made = tokio::task::spawn_blocking(move || start.deployment(&engine, &added)).await;
        match made {
            Ok(Ok((deployment, added))) => {
                self.added = Arc::new(added);
                tracing::info!(revision = deployment.policy.revision(), "reloaded: {reason}");
                self.server.replace(deployment);
            }
            Ok(Err(cause)) => self.keep(reason, &cause),
            Err(cause) => tracing::error!(%cause, "reloading broke down; what was served goes on"),
        }
    }

    fn keep(&self, reason: &str, cause: &StartError) {
        tracing::error!("not reloaded ({reason}): {cause}; what was served goes on");
    }

    async fn look(&self) -> Fingerprint {
        let (files, dev) = (self.start.files(), self.start.args.dev);
        let look = move || {
            let watched = files.into_iter().filter(|file| dev || !is_writable(file));
            watched.flat_map(|file| fingerprints(&file)).collect()
        };
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }
}

/// Whether the server's user, who is its children's too, could change the file or put another one in its place.
fn is_writable(file: &Path) -> bool {
    let parent = file.parent().unwrap_or(Path::new("/"));
    access(file, Access::WRITE_OK).is_ok() || access(parent, Access::WRITE_OK).is_ok()
}

fn fingerprints(file: &Path) -> Vec<(PathBuf, Option<(u64, u64, u64, i64, i64, i64, i64)>)> {
    let inside = std::fs::read_dir(file).into_iter().flatten().flatten().map(|entry| entry.path());
    let print = |path: PathBuf| {
        let known = path.metadata().ok().map(|data| {
            (data.dev(), data.ino(), data.size(), data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec())
        });
        (path, known)
    };
    inside.chain([file.to_owned()]).map(print).collect()
}
