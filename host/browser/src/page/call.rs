//! Talking to a page, within a time.

use super::{Limit, Page};
use crate::cdp::{CallError, Command};
use crate::failure::Failure;

/// No session of that name (the protocol's own number).
const NO_SESSION: i64 = -32001;

/// Why a command to a page has no reply.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The operation is over: the page is gone, the time is up, or the reply was too large.
    Failure(Failure),
    /// The browser said no, in these words.
    Refused(String),
}

impl Trouble {
    /// The failure; what the browser said becomes one by `words`.
    pub(super) fn or(self, words: fn(String) -> Failure) -> Failure {
        match self {
            Self::Failure(failure) => failure,
            Self::Refused(message) => words(message),
        }
    }
}

impl From<Trouble> for Failure {
    /// Where the browser is not expected to say no, it does because the page is on its way to somewhere else.
    fn from(trouble: Trouble) -> Self {
        trouble.or(Self::Script)
    }
}

impl Page {
    /// Says a command and waits for the reply.
    ///
    /// # Errors
    /// See [`Trouble`]. `what` is what was waited for.
    pub(super) async fn call<C: Command>(&self, limit: Limit, what: &str, command: &C) -> Result<C::Reply, Trouble> {
        let called = tokio::select! {
            called = self.connection.call(Some(&self.session), command) => called,
            () = self.state.lost() => return Err(Trouble::Failure(Failure::Closed)),
            () = tokio::time::sleep_until(limit.end) => return Err(Trouble::Failure(limit.over(what))),
        };
        called.map_err(|error| match error {
            CallError::Gone | CallError::Refused { code: NO_SESSION, .. } => Trouble::Failure(Failure::Closed),
            CallError::TooLarge => Trouble::Failure(Failure::TooLarge(super::LARGEST)),
            CallError::Refused { message, .. } => Trouble::Refused(message),
            CallError::Unreadable(cause) => Trouble::Refused(cause.to_string()),
        })
    }
}

impl Limit {
    /// The failure when it is over.
    pub(super) fn over(&self, what: &str) -> Failure {
        Failure::TimedOut { after: self.time, what: what.to_owned() }
    }
}
