//! The browser as the server has it: one process at a time, a page for each identity.
//!
//! Owned here: the browser that runs, if one does; a slot for each identity with its console and its page. A call takes
//! its slot's turn and works in a task of its own, which ends when the call does, when its time is up, or when whoever
//! called leaves; whatever it was doing to the page is ended before the next one has its turn. [`Browser::shutdown`] ends
//! all of it.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use abxd_guards::url::{CheckedUrl, UrlRule};
use tokio::sync::{Mutex as TurnMutex, oneshot};

use crate::console::{Console, ConsoleEntry};
use crate::engine::Engine;
use crate::failure::{Failure, Unavailable};
use crate::page::{
    Content, ContentForm, Landing, NavigateOptions, Page, Paper, Picture, Printout, ScreenshotOptions, TypingOptions,
};
use crate::sentry::Sentry;
use crate::settings::Settings;

/// Identities that can have a page at the same time.
const MOST: usize = 64;

/// The server's browser. Cheap to clone.
#[derive(Clone)]
pub struct Browser(Arc<Inner>);

struct Inner {
    settings: Settings,
    sentry: Arc<Sentry>,
    engine: TurnMutex<Option<Arc<Engine>>>,
    slots: Mutex<HashMap<Arc<str>, Arc<Slot>>>,
    is_closed: AtomicBool,
}

/// What an identity has.
#[derive(Default)]
struct Slot {
    console: Arc<Console>,
    /// Whoever holds it has its turn.
    page: Arc<TurnMutex<Option<Open>>>,
}

/// A page that is open, and the browser that it is open in.
struct Open {
    engine: Arc<Engine>,
    page: Arc<Page>,
}

impl Browser {
    /// A browser that is not started yet: the first call does that.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let sentry = Arc::new(Sentry::new(settings.rule.clone(), settings.network.resolver.clone()));
        Self(Arc::new(Inner {
            settings,
            sentry,
            engine: TurnMutex::default(),
            slots: Mutex::default(),
            is_closed: AtomicBool::new(false),
        }))
    }

    /// Another rule for what pages ask for, from now on, those included that are open.
    pub fn set_rule(&self, rule: UrlRule) {
        self.0.sentry.set_rule(rule);
    }

    /// Makes sure that there is a page.
    ///
    /// # Errors
    /// [`Failure::Unavailable`], [`Failure::Closed`].
    pub async fn ready(&self, identity: &str) -> Result<(), Failure> {
        self.on_page(identity, |_| async { Ok(()) }).await
    }

    /// Loads an address.
    ///
    /// # Errors
    /// As [`Browser::ready`]; [`Failure::Denied`], [`Failure::Navigation`], [`Failure::TimedOut`].
    pub async fn navigate(
        &self,
        identity: &str,
        url: CheckedUrl,
        options: NavigateOptions,
    ) -> Result<Landing, Failure> {
        let sentry = self.0.sentry.clone();
        self.on_page(identity, move |page| async move { page.navigate(&url, options, &sentry).await }).await
    }

    /// Takes an image.
    ///
    /// # Errors
    /// As [`Browser::ready`]; [`Failure::NoMatch`], [`Failure::Unfit`], [`Failure::TimedOut`], [`Failure::TooLarge`].
    pub async fn screenshot(&self, identity: &str, options: ScreenshotOptions) -> Result<Picture, Failure> {
        self.on_page(identity, move |page| async move { page.screenshot(&options).await }).await
    }

    /// The page as text.
    ///
    /// # Errors
    /// As [`Browser::ready`]; [`Failure::TimedOut`], [`Failure::TooLarge`].
    pub async fn content(&self, identity: &str, form: ContentForm) -> Result<Content, Failure> {
        self.on_page(identity, move |page| async move { page.content(form).await }).await
    }

    /// Clicks an element.
    ///
    /// # Errors
    /// As [`Browser::ready`]; [`Failure::Unfit`], [`Failure::TimedOut`].
    pub async fn click(&self, identity: &str, selector: String, timeout: Duration) -> Result<(), Failure> {
        self.on_page(identity, move |page| async move { page.click(&selector, timeout).await }).await
    }

    /// Enters text into an element.
    ///
    /// # Errors
    /// As [`Browser::ready`]; [`Failure::Unfit`], [`Failure::TimedOut`].
    pub async fn type_text(
        &self,
        identity: &str,
        selector: String,
        text: String,
        options: TypingOptions,
    ) -> Result<(), Failure> {
        self.on_page(identity, move |page| async move { page.type_text(&selector, &text, options).await }).await
    }

    /// Evaluates a script. Answers one JSON text.
    ///
    /// # Errors
    /// As [`Browser::ready`]; [`Failure::Script`], [`Failure::TimedOut`], [`Failure::TooLarge`].
    pub async fn evaluate(&self, identity: &str, script: String, timeout: Duration) -> Result<String, Failure> {
        self.on_page(identity, move |page| async move { page.evaluate(&script, timeout).await }).await
    }

    /// Prints the page.
    ///
    /// # Errors
    /// As [`Browser::ready`]; [`Failure::TimedOut`], [`Failure::TooLarge`].
    pub async fn print(&self, identity: &str, paper: Paper, landscape: bool) -> Result<Printout, Failure> {
        self.on_page(identity, move |page| async move { page.print(paper, landscape).await }).await
    }

    /// Takes what the identity's pages have written to their consoles, oldest first. Never waits, and starts nothing.
    #[must_use]
    pub fn drain_console(&self, identity: &str) -> Vec<ConsoleEntry> {
        let slot = self.slots(|slots| slots.get(identity).cloned());
        slot.map(|slot| slot.console.drain()).unwrap_or_default()
    }

    /// Closes the pages of identities that are not kept. A call that one of them has under way comes to its end first.
    pub fn retain(&self, is_kept: impl Fn(&str) -> bool) {
        let gone: Vec<_> = self.slots(|slots| slots.extract_if(|identity, _| !is_kept(identity)).collect());
        for (_, slot) in gone {
            tokio::spawn(async move {
                if let Some(open) = slot.page.lock().await.take() {
                    open.engine.close(open.page.context()).await;
                }
            });
        }
    }

    /// Ends the browser, and waits until nothing is left of it. Calls fail from now on.
    pub async fn shutdown(&self) {
        self.0.is_closed.store(true, Ordering::SeqCst);
        if let Some(engine) = self.0.engine.lock().await.take() {
            engine.stop().await;
        }
    }

    /// Does something with the identity's page, in its turn.
    async fn on_page<T, W>(
        &self,
        identity: &str,
        work: impl FnOnce(Arc<Page>) -> W + Send + 'static,
    ) -> Result<T, Failure>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let slot = self.slot(identity)?;
        let mut turn = slot.page.clone().lock_owned().await;
        // Its receiver goes with this future: whoever called has left then.
        let (mut tell, told) = oneshot::channel();
        let browser = self.clone();
        tokio::spawn(async move {
            let page = match browser.page(&mut turn, &slot.console).await {
                Ok(page) => page,
                // Whoever called may have left.
                Err(failure) => return drop(tell.send(Err(failure))),
            };
            let done = tokio::select! {
                done = work(page.clone()) => Some(done),
                () = tell.closed() => None,
            };
            let is_given_up = matches!(done, None | Some(Err(Failure::TimedOut { .. })));
            drop(done.map(|done| tell.send(done)));
            // The next one waits for this, the one who called does not.
            if is_given_up {
                page.settle().await;
            }
        });
        told.await.unwrap_or(Err(Failure::Closed))
    }

    /// The page of a slot, or a new one.
    async fn page(&self, slot: &mut Option<Open>, console: &Arc<Console>) -> Result<Arc<Page>, Failure> {
        let engine = self.engine().await?;
        match slot.take() {
            Some(open) if Arc::ptr_eq(&open.engine, &engine) && !open.page.is_lost() => {
                return Ok(slot.insert(open).page.clone());
            }
            Some(lost) => lost.engine.close(lost.page.context()).await,
            None => {}
        }
        let page = Arc::new(engine.open(console.clone()).await?);
        Ok(slot.insert(Open { engine, page }).page.clone())
    }

    /// The browser that runs, or a new one.
    async fn engine(&self) -> Result<Arc<Engine>, Failure> {
        let mut running = self.0.engine.lock().await;
        if self.0.is_closed.load(Ordering::SeqCst) {
            return Err(Unavailable::Stopping.into());
        }
        if let Some(engine) = running.as_ref().filter(|engine| !engine.is_gone()) {
            return Ok(engine.clone());
        }
        if let Some(gone) = running.take() {
            gone.stop().await;
        }
        let started = Engine::start(&self.0.settings, self.0.sentry.clone()).await;
        let engine = Arc::new(started.inspect_err(|cause| tracing::warn!(%cause, "there is no browser"))?);
        Ok(running.insert(engine).clone())
    }

    fn slot(&self, identity: &str) -> Result<Arc<Slot>, Failure> {
        self.slots(|slots| match slots.get(identity) {
            Some(slot) => Ok(slot.clone()),
            None if slots.len() >= MOST => Err(Unavailable::Full.into()),
            None => Ok(slots.entry(identity.into()).or_default().clone()),
        })
    }

    fn slots<T>(&self, look: impl FnOnce(&mut HashMap<Arc<str>, Arc<Slot>>) -> T) -> T {
        look(&mut self.0.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Browser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Browser").finish_non_exhaustive()
    }
}
