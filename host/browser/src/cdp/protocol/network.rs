//! Domain `Network`.

use serde::Deserialize;

use super::Nothing;
use crate::cdp::command::{commands, events};

commands! {
    /// Tells what requests do. Bodies are not kept.
    Enable = "Network.enable" -> Nothing { max_total_buffer_size: u32, max_resource_buffer_size: u32 }
}

events! {
    /// A request leaves, also one that was redirected.
    RequestWillBeSent = "Network.requestWillBeSent" {
        request_id: String,
        loader_id: String,
        request: Request,
        #[serde(rename = "type")]
        kind: Option<String>,
    }

    /// The head of an answer has come.
    ResponseReceived = "Network.responseReceived" {
        request_id: String,
        loader_id: String,
        response: Response,
    }

    /// An answer is complete.
    LoadingFinished = "Network.loadingFinished" { request_id: String }

    /// There is no answer.
    LoadingFailed = "Network.loadingFailed" { request_id: String }
}

/// What is asked for.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Request {
    pub(crate) url: String,
}

/// What was answered.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Response {
    pub(crate) status: u16,
}
