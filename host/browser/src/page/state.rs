//! What is known of a page: kept up to date by its events, waited on by its operations.
//!
//! The lock is held for a look or for one event. Whoever waits is woken by every change and looks again.

mod facts;
mod requests;

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

pub use facts::Milestone;
pub(crate) use facts::{Facts, WORLD};

use crate::console::Console;

/// The state of one page.
#[derive(Debug)]
pub(crate) struct State {
    facts: Mutex<Facts>,
    changed: watch::Sender<()>,
    console: Arc<Console>,
}

/// What a look found.
pub(crate) enum Look<T> {
    /// What was waited for.
    Found(T),
    /// Nothing yet: look again when something has changed.
    Later,
    /// Nothing yet: look again then, if nothing changes before.
    At(Instant),
}

/// Why there was nothing to find.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Vain {
    /// The time was up.
    TimedOut,
    /// The page is gone.
    Lost,
}

impl State {
    /// A page of which nothing is known yet. What it writes goes to `console`.
    pub(crate) fn new(console: Arc<Console>) -> Self {
        Self { facts: Mutex::default(), changed: watch::Sender::new(()), console }
    }

    /// Where the page's console goes.
    pub(crate) fn console(&self) -> &Console {
        &self.console
    }

    /// Looks at the facts.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Facts) -> T) -> T {
        look(&self.facts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes them, and wakes who waits.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Facts) -> T) -> T {
        let changed = change(&mut self.facts.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.send_replace(());
        changed
    }

    /// Whether the page is gone.
    pub(crate) fn is_lost(&self) -> bool {
        self.look(|facts| facts.is_lost)
    }

    /// Resolves once the page is gone.
    pub(crate) async fn lost(&self) {
        let mut changed = self.changed.subscribe();
        while !self.is_lost() {
            // The sender is in `self`.
            let _ = changed.changed().await;
        }
    }

    /// Waits until `look` finds something.
    ///
    /// # Errors
    /// See [`Vain`].
    pub(crate) async fn until<T>(&self, end: Instant, look: impl Fn(&Facts) -> Look<T>) -> Result<T, Vain> {
        let mut changed = self.changed.subscribe();
        loop {
            let again = match self.look(|facts| if facts.is_lost { Err(Vain::Lost) } else { Ok(look(facts)) })? {
                Look::Found(found) => return Ok(found),
                Look::Later => end,
                Look::At(again) => again.min(end),
            };
            if Instant::now() >= end {
                return Err(Vain::TimedOut);
            }
            tokio::select! {
                // The sender is in `self`.
                _ = changed.changed() => {}
                () = sleep_until(again) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
