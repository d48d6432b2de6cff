//! Loading an address (`contract: browser`, navigate).

use std::time::Duration;

use abxd_guards::url::{CheckedUrl, UrlDenial};
use tokio::time::Instant;

use super::state::Look;
use super::{Limit, Milestone, Page};
use crate::cdp::protocol::page::{Navigate, Navigated, StopLoading};
use crate::failure::Failure;
use crate::sentry::Sentry;

/// How long stopping may take.
const STOPPING: Duration = Duration::from_secs(1);

/// How to load.
#[derive(Debug, Clone, Copy)]
pub struct NavigateOptions {
    /// What to wait for.
    pub wait_until: Milestone,
    /// How long.
    pub timeout: Duration,
}

/// Where a page has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// Its address now.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Status of the document's answer; 0 when none was asked for.
    pub status: u16,
}

impl Page {
    /// Loads an address.
    ///
    /// # Errors
    /// [`Failure::Denied`] when it, or one that it leads to, is refused; [`Failure::Navigation`], [`Failure::TimedOut`] (it
    /// is not loaded any further then), [`Failure::Closed`].
    pub(crate) async fn navigate(
        &self,
        url: &CheckedUrl,
        options: NavigateOptions,
        sentry: &Sentry,
    ) -> Result<Landing, Failure> {
        let limit = Limit::of(options.timeout);
        self.state.change(|facts| facts.refusal = None);
        let landed = self.load(url, options.wait_until, limit, sentry).await;
        if matches!(landed, Err(Failure::TimedOut { .. })) {
            let _ = self.call(Limit::of(STOPPING), "loading to stop", &StopLoading {}).await;
        }
        landed
    }

    async fn load(
        &self,
        url: &CheckedUrl,
        milestone: Milestone,
        limit: Limit,
        sentry: &Sentry,
    ) -> Result<Landing, Failure> {
        let (began, what) = (Instant::now(), "the page to load");
        let navigated = self.call(limit, what, &Navigate { url: url.as_str() }).await;
        let navigated = navigated.map_err(|trouble| trouble.or(Failure::Navigation))?;
        if let Some(failure) = self.failure(&navigated, url, began, sentry) {
            return Err(failure);
        }
        let status = match &navigated.loader_id {
            Some(loader) => self.committed(loader, limit, what).await?,
            None => 0,
        };
        let there = self.state.until(limit.end, |facts| match facts.is_at(milestone, Instant::now()) {
            Ok(()) => Look::Found(facts.url.clone()),
            Err(Some(again)) => Look::At(again),
            Err(None) => Look::Later,
        });
        there.await.map_err(|vain| limit.vain(vain, what))?;
        let title = self.title(limit).await?;
        Ok(Landing { url: self.state.look(|facts| facts.url.clone()), title, status })
    }

    /// Waits for a document to be the page's. The status of its answer.
    async fn committed(&self, loader: &str, limit: Limit, what: &str) -> Result<u16, Failure> {
        let status = self.state.until(limit.end, |facts| match facts.has_had(loader) {
            true => Look::Found(facts.status(loader).unwrap_or(0)),
            false => Look::Later,
        });
        status.await.map_err(|vain| limit.vain(vain, what))
    }

    /// Why the browser did not load it.
    fn failure(&self, navigated: &Navigated, url: &CheckedUrl, began: Instant, sentry: &Sentry) -> Option<Failure> {
        let text = navigated.error_text.as_deref().or(navigated.is_download.then_some("net::ERR_ABORTED"))?;
        // Where it did load, what was refused is where the page wanted to go next.
        if let Some(denial) = self.state.look(|facts| facts.refusal) {
            return Some(Failure::Denied(denial));
        }
        // The proxy may have refused it at the last moment.
        if sentry.has_refused(url.as_str(), began) {
            return Some(Failure::Denied(UrlDenial::Address));
        }
        let why = if navigated.is_download { " (it is a download)" } else { "" };
        Some(Failure::Navigation(format!("{text} at {}{why}", url.as_str())))
    }

    pub(super) async fn title(&self, limit: Limit) -> Result<String, Failure> {
        let title = self.ask(limit, "the page's title", "title", &[]).await?;
        Ok(title.as_str().unwrap_or_default().to_owned())
    }
}
