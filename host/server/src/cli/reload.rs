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

use super::start::{Moment, Start, StartError};
use crate::deployment::{Added, Deployment};
use crate::server::Server;
pub(super) use sources::Watched;

/// Time between two looks at the files.
const LOOK: Duration = Duration::from_secs(1);

/// Makes new deployments out of what `serve` was started with.
pub(super) struct Reloader {
    start: Arc<Start>,
    components: Runtime,
    server: Arc<Server>,
    added: Arc<Vec<Added>>,
    hangup: Signal,
    /// The files as they were before what was last read was read.
    watched: Watched,
}

/// Make a deployment out of the files as they are now. `watched` is then what was read for it, also in vain, as it was
/// before. Blocks.
///
/// # Errors
/// The first thing that is wrong; nothing has changed then.
pub(super) fn make(
    start: &Start,
    moment: Moment,
    components: &Runtime,
    known: &[Added],
    watched: &mut Watched,
) -> Result<(Deployment, Vec<Added>), StartError> {
    watched.look();
    start.protected().refresh();
    let document = start.document(moment)?;
    watched.turn_to(start.files(&document));
    start.deployment(&document, components, known)
}

impl Reloader {
    /// A reloader for a server that serves `added`. From here on SIGHUP does not end the process.
    pub(super) fn new(
        start: Arc<Start>,
        components: Runtime,
        server: Arc<Server>,
        added: Vec<Added>,
        watched: Watched,
    ) -> std::io::Result<Self> {
        let hangup = signal(SignalKind::hangup())?;
        Ok(Self { start, components, server, added: Arc::new(added), hangup, watched })
    }

    /// Reload when there is a reason to, until dropped.
    pub(super) async fn run(mut self) {
        loop {
            tokio::select! {
                hung_up = self.hangup.recv() => match hung_up {
                    Some(()) => self.reload("SIGHUP").await,
                    None => return,
                },
                () = tokio::time::sleep(LOOK) => {
                    if self.has_changed().await {
                        self.reload("a file changed").await;
                    }
                }
            }
        }
    }

    async fn reload(&mut self, reason: &str) {
        let (start, components, added) = (self.start.clone(), self.components.clone(), self.added.clone());
        let mut watched = self.watched.clone();
        let make = move || {
            let made = make(&start, Moment::Reload, &components, &added, &mut watched);
            (made, watched)
        };
        let made = match tokio::task::spawn_blocking(make).await {
            Ok((made, watched)) => {
                self.watched = watched;
                made
            }
            Err(cause) => {
                tracing::error!(%cause, "reloading broke down; what was served goes on");
                return;
            }
        };
        match made {
            Ok((deployment, added)) => {
                self.added = Arc::new(added);
                tracing::info!(revision = deployment.policy.revision(), "reloaded: {reason}");
                self.server.replace(deployment);
            }
            Err(cause) => self.keep(reason, &cause),
        }
    }

    fn keep(&self, reason: &str, cause: &StartError) {
        tracing::error!("not reloaded ({reason}): {cause}; what was served goes on");
    }

    /// Whether a file is not what it was at the last look. Links to the server's own files are followed anew, too.
    async fn has_changed(&mut self) -> bool {
        let (start, mut watched) = (self.start.clone(), self.watched.clone());
        let look = move || {
            start.protected().refresh();
            (watched.look(), watched)
        };
        let Ok((has_changed, watched)) = tokio::task::spawn_blocking(look).await else { return false };
        self.watched = watched;
        has_changed
    }
}
