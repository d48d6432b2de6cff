//! Reloading policy and plugins: on SIGHUP, and when their files change.
//!
//! The new set is made and checked whole, beside the one that serves, and then swapped in; if anything is wrong with it,
//! the old one stays. Files are watched only where children of the server can't write (decision D44): a policy that an
//! agent could edit is not taken from it.
//!
//! The task that runs [`Reloader::run`] owns the reloader; it ends when the server does.

mod sources;

use std::sync::Arc;
use std::time::Duration;

use abxd_plugins::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::start::{Start, StartError};
use crate::deployment::Added;
use crate::server::Server;
use sources::Fingerprint;

/// Time between two looks at the files.
const LOOK: Duration = Duration::from_secs(1);

/// Makes new deployments out of what `serve` was started with.
pub(super) struct Reloader {
    start: Arc<Start>,
    components: Runtime,
    server: Arc<Server>,
    added: Arc<Vec<Added>>,
    hangup: Signal,
    /// The files as they were before what is served was made of them.
    seen: Fingerprint,
}

/// The files of a start. To be called before anything is made of them, so that no change falls in between. Blocks.
pub(super) fn first_look(start: &Start) -> Fingerprint {
    sources::look(&start.files(), start.args.dev)
}

impl Reloader {
    /// A reloader for a server that serves `added`. From here on SIGHUP does not end the process. Blocks.
    pub(super) fn new(
        start: Arc<Start>,
        components: Runtime,
        server: Arc<Server>,
        added: Vec<Added>,
        mut seen: Fingerprint,
    ) -> std::io::Result<Self> {
        let hangup = signal(SignalKind::hangup())?;
        // Those that only the policy names were not known at the first look.
        let files: Vec<_> = added.iter().map(|added| added.file().to_owned()).collect();
        for (file, stamp) in sources::look(&files, start.args.dev) {
            seen.entry(file).or_insert(stamp);
        }
        Ok(Self { start, components, server, added: Arc::new(added), hangup, seen })
    }

    /// Reload when there is a reason to, until dropped.
    pub(super) async fn run(mut self) {
        loop {
            tokio::select! {
                hung_up = self.hangup.recv() => match hung_up {
                    Some(()) => {
                        self.seen = self.look().await;
                        self.reload("SIGHUP").await;
                    }
                    None => return,
                },
                () = tokio::time::sleep(LOOK) => {
                    let now = self.look().await;
                    if now != self.seen {
                        self.seen = now;
                        self.reload("a file changed").await;
                    }
                }
            }
        }
    }

    async fn reload(&mut self, reason: &str) {
        let (start, components, added) = (self.start.clone(), self.components.clone(), self.added.clone());
        let made = tokio::task::spawn_blocking(move || start.deployment(&components, &added)).await;
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
        let mut places = self.start.files();
        places.extend(self.added.iter().map(|added| added.file().to_owned()));
        let dev = self.start.args.dev;
        let look = move || sources::look(&places, dev);
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }
}
