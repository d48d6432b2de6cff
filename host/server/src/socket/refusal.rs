//! What a refusal is as a close frame, and in the audit log.

use abxd_websocket::{Close, Conversation, Message, Outgoing};

use crate::answer;
use crate::pipeline::Refusal;

/// Why a client gets no terminal.
#[derive(Debug)]
pub(super) enum Refused {
    /// Nothing serves terminals here.
    NotReady,
    /// A step that every request goes through.
    Request(Refusal),
    /// It names no session.
    MissingSession,
    /// There is no such session that it may see.
    UnknownSession(String),
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::Request(refusal)
    }
}

impl Refused {
    /// The close frame (contract: terminal, WebSocket protocol).
    pub(super) fn close(&self) -> Close {
        match self {
            Self::NotReady => Close::new(1011, "Server policy is not initialized"),
            Self::Request(Refusal::Unauthorized | Refusal::AmbiguousCredentials) => Close::new(4001, "Unauthorized"),
            Self::Request(Refusal::Disabled(_)) => Close::new(4003, "Endpoint disabled"),
            Self::Request(Refusal::Exhausted(_)) => Close::new(1013, "Try again later"),
            Self::Request(_) => Close::new(4003, "Forbidden"),
            Self::MissingSession => Close::new(1008, "Missing session_id parameter"),
            Self::UnknownSession(id) => Close::new(1008, ["Unknown session: ", id].concat()),
        }
    }

    /// Status and code as a request would have had them: the log says `deny`, whatever went over the wire.
    pub(super) fn verdict(&self) -> (u16, Option<String>) {
        match self {
            Self::NotReady => answer::verdict(&Refusal::Absent("".into())),
            Self::Request(refusal) => answer::verdict(refusal),
            Self::MissingSession => (400, None),
            Self::UnknownSession(_) => (404, None),
        }
    }
}

/// A socket that is only told why.
pub(super) struct Refusing(pub(super) Close);

impl Conversation for Refusing {
    async fn next(&self) -> Outgoing {
        Outgoing::Close(self.0.clone())
    }

    async fn receive(&self, _: Message) -> Option<Close> {
        None
    }
}
