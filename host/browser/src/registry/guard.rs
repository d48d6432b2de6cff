//! Requests that the browser holds back.

use std::sync::Arc;

use super::Registry;
use crate::cdp::Reactions;
use crate::cdp::protocol::fetch::{
    AuthRequired, AuthResponse, ContinueRequest, ContinueWithAuth, FailRequest, RequestPaused,
};
use crate::judge::ABORTED;
use crate::proxy::{Credentials, WARM_UP};

/// The reason that a page's console shows.
const BLOCKED: &str = "BlockedByClient";

impl Registry {
    /// A request is held back: a document to be judged with its name, anything else by its address.
    pub(super) fn paused(self: &Arc<Self>, event: RequestPaused, reactions: &mut Reactions<'_>) {
        let request_id = event.request_id.clone();
        let request_id = &*request_id;
        if event.resource_type == "Document" {
            if !self.judge.take(event, self.clone()) {
                reactions.say(None, &FailRequest { request_id, error_reason: ABORTED });
            }
        } else if event.request.url == WARM_UP || self.sentry.judge_request(&event.request.url).is_ok() {
            reactions.say(None, &ContinueRequest { request_id });
        } else {
            reactions.say(None, &FailRequest { request_id, error_reason: BLOCKED });
        }
    }

    /// Somebody wants credentials. The proxy gets them; a server's answer is the page that it sent with its question.
    pub(super) fn challenged(&self, event: &AuthRequired, reactions: &mut Reactions<'_>) {
        let is_proxy = event.auth_challenge.source.as_deref() == Some("Proxy");
        let auth_challenge_response = if is_proxy {
            AuthResponse {
                response: "ProvideCredentials",
                username: Some(Credentials::NAME),
                password: Some(self.credentials.password()),
            }
        } else {
            AuthResponse { response: "CancelAuth", username: None, password: None }
        };
        reactions.say(None, &ContinueWithAuth { request_id: &event.request_id, auth_challenge_response });
    }
}
