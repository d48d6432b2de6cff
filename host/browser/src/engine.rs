//! One browser process, from its start to its end.
//!
//! Owned here, and ended in this order when the browser is gone, is told to stop or is dropped: the conversation and the
//! task that reads it; the process with its whole tree; the profile; the proxy. One task, the keeper, sees to it. Another one
//! reads what the process complains of, to the end of that pipe.

mod complaints;
mod flags;
mod launch;
mod profile;

use std::sync::Arc;
use std::time::Duration;

use abxd_capabilities::process::Child;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::cdp::protocol::{browser, fetch, target};
use crate::cdp::{CallError, Connection};
use crate::console::Console;
use crate::failure::{Failure, Unavailable};
use crate::judge::Judge;
use crate::network::Network;
use crate::page::Page;
use crate::proxy::Proxy;
use crate::registry::{Registry, WATCHED};
use crate::sentry::Sentry;
use crate::settings::Settings;
use complaints::Complaints;
use profile::Profile;

/// How long a browser may take to start.
const START: Duration = Duration::from_secs(30);

/// A browser that runs.
#[derive(Debug)]
pub(crate) struct Engine {
    connection: Connection,
    registry: Arc<Registry>,
    /// Dropped or true: the keeper ends the browser.
    stop: watch::Sender<bool>,
    ended: watch::Receiver<bool>,
}

impl Engine {
    /// Starts a browser.
    ///
    /// # Errors
    /// See [`Unavailable`].
    pub(crate) async fn start(settings: &Settings, sentry: Arc<Sentry>) -> Result<Self, Unavailable> {
        let failed = |cause: &dyn std::fmt::Display| Unavailable::Start(cause.to_string());
        let program = launch::program(settings).await?;
        let Network { dial, .. } = settings.network.clone();
        let proxy = Proxy::start(sentry.clone(), dial).await.map_err(|cause| failed(&cause))?;
        let profile = Profile::make(settings).await.map_err(|cause| failed(&cause))?;
        let started =
            launch::launch(settings, program, &profile, proxy.address()).await.map_err(|cause| failed(&cause))?;
        let complaints = Complaints::default();
        if let Some(pipe) = started.complaints {
            tokio::spawn(complaints.clone().listen(pipe));
        }
        let connection = Connection::begin(started.commands);
        let judge = Judge::begin(connection.clone(), sentry.clone());
        let registry = Arc::new(Registry::new(sentry, proxy.credentials().clone(), judge));
        tokio::spawn(connection.clone().read(started.events, registry.clone()));
        let (stop, told) = watch::channel(false);
        let (tell, ended) = watch::channel(false);
        let kept = Kept { connection: connection.clone(), child: started.child, profile, _proxy: proxy };
        tokio::spawn(keep(kept, told, tell));
        let engine = Self { connection, registry, stop, ended };
        let cause = match timeout(START, engine.greet()).await {
            Ok(Ok(product)) => {
                tracing::info!(product, "the browser has started");
                return Ok(engine);
            }
            Ok(Err(cause)) => cause.to_string(),
            Err(_) => "it does not answer".to_owned(),
        };
        engine.stop().await;
        let last = complaints.last().map(|line| format!("; its last words: {line}")).unwrap_or_default();
        Err(Unavailable::Start(format!("{cause}{last}")))
    }

    /// The first words: everything is held back from here on.
    async fn greet(&self) -> Result<String, CallError> {
        let version = self.connection.call(None, &browser::GetVersion {}).await?;
        self.connection.call(None, &fetch::Enable { handle_auth_requests: true }).await?;
        self.connection.call(None, &WATCHED).await?;
        Ok(version.product)
    }

    /// Whether there is a browser yet.
    pub(crate) fn is_gone(&self) -> bool {
        self.connection.is_gone()
    }

    /// Opens a page in a context of its own.
    ///
    /// # Errors
    /// [`Failure::Closed`] when the browser goes away meanwhile; else [`Unavailable`].
    pub(crate) async fn open(&self, console: Arc<Console>) -> Result<Page, Failure> {
        Page::open(&self.connection, &self.registry, console).await
    }

    /// Closes a context with its pages.
    pub(crate) async fn close(&self, context: &str) {
        self.registry.forget(context);
        let dispose = target::DisposeBrowserContext { browser_context_id: context };
        self.connection.tell(None, &dispose).await;
    }

    /// Ends the browser, and waits until nothing is left of it.
    pub(crate) async fn stop(&self) {
        self.stop.send_replace(true);
        // An error means that the keeper is gone, and with it all that it kept.
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
    }
}

/// What ends with a browser.
struct Kept {
    connection: Connection,
    child: Child,
    profile: Profile,
    _proxy: Proxy,
}

/// Ends a browser when it is time.
async fn keep(kept: Kept, mut told: watch::Receiver<bool>, tell: watch::Sender<bool>) {
    let Kept { connection, child, profile, _proxy } = kept;
    tokio::select! {
        () = connection.gone() => {}
        exit = child.wait() => tracing::warn!(?exit, "the browser has ended"),
        // An error: nobody has the browser any more.
        _ = told.wait_for(|stop| *stop) => {}
    }
    connection.close();
    child.end().await;
    profile.remove().await;
    tell.send_replace(true);
}
