//! The terminal socket: `pty_connect` on a port of its own (contract: terminal, WebSocket protocol).
//!
//! | file | what it holds |
//! |---|---|
//! | `admission` | the checks before a client gets its terminal, in the contract's order |
//! | `refusal` | what a refusal is as a close frame, and in the audit log |
//! | `screen` | a client at its terminal |
//! | `command` | what a client may ask for |
//! | `event` | what it is told |
//!
//! A request goes through the same types as one of the HTTP port: a route, a caller, a permit. It is upgraded whatever they
//! say, and a refusal is the close frame that follows; only a page of another host is refused before (decision D13).
//!
//! [`Sockets`] owns a task for each socket. The task holds the permit and the audit record, and ends with the connection:
//! at the client's will, when it stops answering, or when the server stops, at the latest when the listener cuts it.

mod admission;
mod command;
mod event;
mod refusal;
mod screen;

use std::sync::Arc;
use std::time::Duration;

use abxd_capabilities::terminal::Terminals;
use abxd_websocket::{Settings, converse, handshake};
use axum::body::Body;
use http::{Method, Request, Response};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::answer::{self, Place};
use crate::audit::Record;
use crate::pipeline::{Refusal, Route};
use crate::server::Server;
use admission::Admitted;
use refusal::{Refused, Refusing};
use screen::Screen;

/// Transport limits (contract: terminal).
const SETTINGS: Settings = Settings {
    most_message: 1 << 20,
    ping_every: Duration::from_secs(20),
    pong_within: Duration::from_secs(20),
    close_within: Duration::from_secs(10),
    patience: Duration::from_secs(10),
    least: 64 << 10,
};

/// How long the answer to a handshake may take to be written.
const UPGRADE_WITHIN: Duration = Duration::from_secs(10);

/// How long the last tasks may take once their connections have ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The sockets of the terminal port. Copies are the same.
#[derive(Debug, Clone)]
pub struct Sockets {
    server: Arc<Server>,
    terminals: Terminals,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Sockets {
    /// No sockets yet.
    #[must_use]
    pub fn new(server: Arc<Server>, terminals: Terminals) -> Self {
        Self { server, terminals, stop: CancellationToken::new(), tasks: TaskTracker::new() }
    }

    /// Close all of them with 1001, those that are still to come too.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Wait for their tasks, once the connections have ended.
    pub async fn ended(&self) {
        self.tasks.close();
        if timeout(LAST_WORDS, self.tasks.wait()).await.is_err() {
            tracing::warn!("terminal sockets did not end in time");
        }
    }

    /// Answer a request of the terminal port. Its path is not looked at.
    pub fn serve(&self, mut request: Request<Body>) -> Response<Body> {
        if request.method() != Method::GET {
            return answer::not_a_socket_method();
        }
        let upgrade = hyper::upgrade::on(&mut request);
        let (head, _) = request.into_parts();
        let accept = match handshake::accept(&head) {
            Ok(accept) => accept,
            Err(error) => return answer::no_handshake(error),
        };
        let Some(route) = Route::socket(self.server.deployment()) else { return answer::absent_socket() };
        let mut record = Record::begin(&route);
        let outcome = match admission::admit(route, &head, &self.terminals, &mut record) {
            Err(Refused::Request(refusal @ Refusal::CrossOrigin)) => {
                return answer::write(Err(refusal), Place::socket(), record);
            }
            outcome => outcome,
        };
        self.tasks.spawn(attend(upgrade, outcome, record, self.stop.clone()));
        answer::switched(accept)
    }
}

/// One socket from its handshake to its end. Permit and record go with it.
async fn attend(upgrade: OnUpgrade, outcome: Result<Admitted, Refused>, mut record: Record, stop: CancellationToken) {
    let Ok(Ok(upgraded)) = timeout(UPGRADE_WITHIN, upgrade).await else { return };
    let stream = TokioIo::new(upgraded);
    match outcome {
        Ok(Admitted { permit, attachment }) => {
            record.ends(answer::SWITCHED, None);
            converse(stream, Screen::new(attachment, stop), &SETTINGS).await;
            drop(permit);
        }
        Err(refused) => {
            let (status, code) = refused.verdict();
            record.ends(status, code);
            converse(stream, Refusing(refused.close()), &SETTINGS).await;
        }
    }
}
