//! One client of a session.

use std::sync::Arc;

use rustix::process::Signal;

use super::output::{Client, Shown};
use super::pty::Size;
use super::session::Session;

/// A client. The session doesn't notice when it goes, unless it was held up by it.
pub struct Attachment {
    session: Arc<Session>,
    client: Client,
}

impl std::fmt::Debug for Attachment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attachment").field("session", &self.session.id).finish_non_exhaustive()
    }
}

impl Attachment {
    pub(super) fn new(session: Arc<Session>) -> Self {
        session.touch();
        let client = session.output.enter();
        Self { session, client }
    }

    /// The session's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.session.id
    }

    /// The shell.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.session.child.pid()
    }

    /// The next thing to show: what was kept, then what comes, then the end. Waits for ever after that. Cancel safe.
    pub async fn next(&self) -> Shown {
        self.session.output.next(self.client).await
    }

    /// Types bytes, all of them together. Waits while the session has as much as it keeps; ignored once the terminal has
    /// ended.
    pub async fn type_in(&self, bytes: &[u8]) {
        self.session.type_in(bytes).await;
    }

    /// The last size that was accepted.
    #[must_use]
    pub fn size(&self) -> Size {
        self.session.size()
    }

    /// Sets the size.
    pub fn resize(&self, size: Size) {
        self.session.resize(size);
    }

    /// Sends a signal to the process group in the foreground, and to nothing else (contract: terminal, client to server).
    pub fn signal(&self, signal: Signal) {
        self.session.signal(signal);
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        self.session.touch();
        self.session.output.leave(self.client);
    }
}
