//! The requests of a page that are in flight.

use std::collections::HashMap;

use crate::cdp::SessionId;
use crate::cdp::protocol::network::RequestWillBeSent;

/// So many are told apart. A page with more has a network that is not idle for a while yet.
const MOST: usize = 10_000;

#[derive(Debug)]
struct Request {
    loader: String,
    session: Option<SessionId>,
}

/// Requests by their ids.
#[derive(Debug, Default)]
pub(super) struct Requests(HashMap<String, Request>);

impl Requests {
    pub(super) fn sent(&mut self, session: Option<&SessionId>, event: &RequestWillBeSent) {
        // Playwright counts neither.
        let is_aside = event.kind.as_deref() == Some("Preflight") || event.request.url.ends_with("/favicon.ico");
        if !is_aside && self.0.len() < MOST {
            let request = Request { loader: event.loader_id.clone(), session: session.cloned() };
            self.0.insert(event.request_id.clone(), request);
        }
    }

    pub(super) fn ended(&mut self, id: &str) {
        self.0.remove(id);
    }

    /// A new document: what the one before asked for does not count any more.
    pub(super) fn keep_those_of(&mut self, loader: &str) {
        self.0.retain(|_, request| request.loader == loader);
    }

    pub(super) fn end_session(&mut self, session: &SessionId) {
        self.0.retain(|_, request| request.session.as_ref() != Some(session));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
