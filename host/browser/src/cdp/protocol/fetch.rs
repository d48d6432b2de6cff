//! Domain `Fetch`: holding requests back.

use serde::{Deserialize, Serialize};

use super::Nothing;
use crate::cdp::command::{commands, events};

commands! {
    /// Holds back every request.
    Enable = "Fetch.enable" -> Nothing { handle_auth_requests: bool }

    /// Lets one go on.
    ContinueRequest<'a> = "Fetch.continueRequest" -> Nothing { request_id: &'a str }

    /// Ends one.
    FailRequest<'a> = "Fetch.failRequest" -> Nothing { request_id: &'a str, error_reason: &'static str }

    /// Answers a request for credentials.
    ContinueWithAuth<'a> = "Fetch.continueWithAuth" -> Nothing {
        request_id: &'a str,
        auth_challenge_response: AuthResponse<'a>,
    }
}

/// The answer to a request for credentials.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AuthResponse<'a> {
    /// `ProvideCredentials` or `CancelAuth`.
    pub(crate) response: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) username: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) password: Option<&'a str>,
}

events! {
    /// A request is held back.
    RequestPaused = "Fetch.requestPaused" {
        request_id: String,
        request: Request,
        frame_id: String,
        resource_type: String,
    }

    /// Somebody wants credentials.
    AuthRequired = "Fetch.authRequired" {
        request_id: String,
        auth_challenge: AuthChallenge,
    }
}

/// What is asked for.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Request {
    /// Without the fragment.
    pub(crate) url: String,
}

/// Who wants credentials.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct AuthChallenge {
    /// `Server` or `Proxy`.
    pub(crate) source: Option<String>,
}
