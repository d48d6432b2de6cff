//! The conversation: commands out, replies back to whoever called.
//!
//! Owns the writing task. It ends with the pipe, or with the last copy of the connection; then nobody is left waiting.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{mpsc, oneshot, watch};

use super::command::Command;
use super::message::{Outgoing, Refused};

/// Messages on their way out. The browser reads them on a thread of its own, so they don't pile up.
const QUEUE: usize = 4096;

/// Why a command has no reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The browser is gone.
    #[error("the browser is gone")]
    Gone,
    /// The browser said no.
    #[error("{message}")]
    Refused {
        /// Its number.
        code: i64,
        /// Its words.
        message: String,
    },
    /// The reply was longer than what is kept.
    #[error("the browser's reply is too large")]
    TooLarge,
    /// The reply is none, or the command can't be written.
    #[error("the browser can't be understood: {0}")]
    Unreadable(#[from] serde_json::Error),
}

impl From<Refused> for CallError {
    fn from(Refused { code, message }: Refused) -> Self {
        Self::Refused { code, message }
    }
}

/// A reply as it came.
pub(super) type Reply = Result<Box<RawValue>, CallError>;

/// The conversation with a browser. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Connection(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    last: AtomicU64,
    calls: Mutex<HashMap<u64, oneshot::Sender<Reply>>>,
    outgoing: mpsc::Sender<Vec<u8>>,
    gone: watch::Sender<bool>,
}

impl Connection {
    /// A conversation whose words go to `pipe`. Must be called inside the runtime.
    pub(crate) fn begin(pipe: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (outgoing, messages) = mpsc::channel(QUEUE);
        let (gone, _) = watch::channel(false);
        let connection = Self(Arc::new(Inner { last: AtomicU64::new(0), calls: Mutex::default(), outgoing, gone }));
        tokio::spawn(write(pipe, messages));
        connection
    }

    /// Says `command` in a session and waits for the reply. The caller bounds the wait.
    ///
    /// # Errors
    /// See [`CallError`].
    pub(crate) async fn call<C: Command>(&self, session: Option<&str>, command: &C) -> Result<C::Reply, CallError> {
        let (id, message) = self.message(session, command)?;
        let (answer, answered) = oneshot::channel();
        let _waiting = Waiting::enter(self, id, answer);
        if !self.send(message).await {
            return Err(CallError::Gone);
        }
        let reply = answered.await.map_err(|_| CallError::Gone)??;
        Ok(serde_json::from_str(reply.get())?)
    }

    /// Says `command` and does not look at the reply. Waits for room on the way out.
    pub(crate) async fn tell<C: Command>(&self, session: Option<&str>, command: &C) {
        if let Ok((_, message)) = self.message(session, command) {
            self.send(message).await;
        }
    }

    /// Whether the browser is gone.
    pub(crate) fn is_gone(&self) -> bool {
        *self.0.gone.borrow()
    }

    /// Resolves once the browser is gone.
    pub(crate) async fn gone(&self) {
        // The sender is in `self`.
        let _ = self.0.gone.subscribe().wait_for(|gone| *gone).await;
    }

    /// The browser is gone: everybody who waits is told.
    pub(crate) fn close(&self) {
        self.0.gone.send_replace(true);
        self.calls(HashMap::clear);
    }

    /// A reply has come.
    pub(super) fn answer(&self, id: u64, reply: Reply) {
        if let Some(call) = self.calls(|calls| calls.remove(&id)) {
            // Whoever called may have left.
            let _ = call.send(reply);
        }
    }

    /// Whether a message is on its way.
    pub(super) async fn send(&self, message: Vec<u8>) -> bool {
        !self.is_gone() && self.0.outgoing.send(message).await.is_ok()
    }

    pub(super) fn message<C: Command>(&self, session: Option<&str>, command: &C) -> Result<(u64, Vec<u8>), CallError> {
        let id = self.0.last.fetch_add(1, Ordering::Relaxed) + 1;
        let outgoing = Outgoing { id, method: C::METHOD, params: command, session_id: session };
        let mut message = serde_json::to_vec(&outgoing)?;
        message.push(0);
        Ok((id, message))
    }

    fn calls<T>(&self, look: impl FnOnce(&mut HashMap<u64, oneshot::Sender<Reply>>) -> T) -> T {
        look(&mut self.0.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A call in the table of those that wait, until it is dropped.
struct Waiting<'a> {
    connection: &'a Connection,
    id: u64,
}

impl<'a> Waiting<'a> {
    fn enter(connection: &'a Connection, id: u64, answer: oneshot::Sender<Reply>) -> Self {
        connection.calls(|calls| calls.insert(id, answer));
        Self { connection, id }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.connection.calls(|calls| calls.remove(&self.id));
    }
}

/// Writes what comes until the pipe or the connection ends. That the browser is gone is told by the other pipe.
async fn write(mut pipe: impl AsyncWrite + Unpin, mut messages: mpsc::Receiver<Vec<u8>>) {
    while let Some(message) = messages.recv().await {
        if pipe.write_all(&message).await.is_err() {
            return;
        }
    }
}
