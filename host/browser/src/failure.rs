//! Why an operation did not take place.

use std::time::Duration;

use abxd_guards::url::UrlDenial;
use thiserror::Error;

/// A failure of an operation on a page.
#[derive(Debug, Error)]
pub enum Failure {
    /// The guard said no.
    #[error("{0}")]
    Denied(UrlDenial),
    /// There is no browser, or no room in it.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The time was up.
    #[error("Timeout {}ms exceeded while waiting for {what}", after.as_millis())]
    TimedOut {
        /// The time.
        after: Duration,
        /// What was waited for, and what stood in the way.
        what: String,
    },
    /// The page or the browser went away.
    #[error("the page, its context or the browser has been closed")]
    Closed,
    /// The page could not be loaded.
    #[error("{0}")]
    Navigation(String),
    /// The script's own error.
    #[error("{0}")]
    Script(String),
    /// The selector can't be read, or the element is of another kind.
    #[error("{0}")]
    Unfit(String),
    /// Nothing matches.
    #[error("no element matches the selector")]
    NoMatch,
    /// What was asked for has more bytes than this.
    #[error("larger than the limit of {0} bytes")]
    TooLarge(u64),
}

/// Why there is no page.
#[derive(Debug, Error)]
pub enum Unavailable {
    /// No program.
    #[error("no browser is installed: set ABX_BROWSER_BIN, or install chromium")]
    Missing,
    /// It does not start. The cause is for the log, too.
    #[error("the browser does not start: {0}")]
    Start(String),
    /// Every place for a page is taken.
    #[error("the browser has no room for another page")]
    Full,
    /// The server is about to end.
    #[error("the server is stopping")]
    Stopping,
}
