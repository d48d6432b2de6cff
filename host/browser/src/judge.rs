//! Judging documents: their names have to be looked up first, so it is done aside while the browser holds them back.
//!
//! Owns one task, and in it a bounded number of look-ups. All end with the browser.

use std::sync::{Arc, Weak};

use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use crate::cdp::Connection;
use crate::cdp::protocol::fetch::{ContinueRequest, FailRequest, RequestPaused};
use crate::registry::Registry;
use crate::sentry::Sentry;

/// Documents that wait to be judged. A page that asks for more at once has the rest refused.
const QUEUE: usize = 1024;

/// Documents that are being judged.
const AT_ONCE: usize = 64;

/// The reason that leaves a page where it is.
pub(crate) const ABORTED: &str = "Aborted";

/// The way to the judge.
#[derive(Debug)]
pub(crate) struct Judge(mpsc::Sender<(RequestPaused, Arc<Registry>)>);

impl Judge {
    /// A judge for a browser.
    pub(crate) fn begin(connection: Connection, sentry: Arc<Sentry>) -> Self {
        let (sender, paused) = mpsc::channel(QUEUE);
        tokio::spawn(sit(paused, connection, sentry));
        Self(sender)
    }

    /// Hands a document over. False: there is no room.
    pub(crate) fn take(&self, paused: RequestPaused, registry: Arc<Registry>) -> bool {
        self.0.try_send((paused, registry)).is_ok()
    }
}

async fn sit(mut paused: mpsc::Receiver<(RequestPaused, Arc<Registry>)>, connection: Connection, sentry: Arc<Sentry>) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut judging = JoinSet::new();
    loop {
        let next = tokio::select! {
            next = paused.recv() => next,
            () = connection.gone() => return,
        };
        let (Some((paused, registry)), Ok(place)) = (next, places.clone().acquire_owned().await) else { return };
        let (connection, sentry, registry) = (connection.clone(), sentry.clone(), Arc::downgrade(&registry));
        judging.spawn(async move {
            let _place = place;
            judge(&paused, &connection, &sentry, &registry).await;
        });
        while judging.try_join_next().is_some() {}
    }
}

async fn judge(paused: &RequestPaused, connection: &Connection, sentry: &Sentry, registry: &Weak<Registry>) {
    let request_id = &*paused.request_id;
    match sentry.judge_page(&paused.request.url).await {
        Ok(()) => connection.tell(None, &ContinueRequest { request_id }).await,
        Err(denial) => {
            // First of all, so that whoever learns of the failure finds its reason.
            registry.upgrade().into_iter().for_each(|registry| registry.refuse(&paused.frame_id, denial));
            connection.tell(None, &FailRequest { request_id, error_reason: ABORTED }).await;
        }
    }
}
