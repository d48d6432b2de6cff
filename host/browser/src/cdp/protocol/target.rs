//! Domain `Target`: pages, frames in processes of their own, workers.

use serde::{Deserialize, Serialize};

use super::Nothing;
use crate::cdp::command::{commands, events};

commands! {
    /// Opens a session with every new target that belongs to this one, before it does anything.
    SetAutoAttach = "Target.setAutoAttach" -> Nothing {
        auto_attach: bool,
        wait_for_debugger_on_start: bool,
        flatten: bool,
        filter: &'static [TargetFilter],
    }

    /// A context: cookies and storage of its own, in memory.
    CreateBrowserContext = "Target.createBrowserContext" -> Context {}

    /// Closes a context with all its pages.
    DisposeBrowserContext<'a> = "Target.disposeBrowserContext" -> Nothing { browser_context_id: &'a str }

    /// A page.
    CreateTarget<'a> = "Target.createTarget" -> Nothing { url: &'static str, browser_context_id: &'a str }

    /// Closes a page.
    CloseTarget<'a> = "Target.closeTarget" -> Nothing { target_id: &'a str }
}

/// A kind of target that is looked for, or not.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TargetFilter {
    /// None: every kind that no filter before it names.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<&'static str>,
    pub(crate) exclude: bool,
}

/// Reply of [`CreateBrowserContext`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Context {
    pub(crate) browser_context_id: String,
}

events! {
    /// There is a session with a target. Until it is told to run it waits.
    AttachedToTarget = "Target.attachedToTarget" { session_id: String, target_info: TargetInfo }

    /// A session has ended.
    DetachedFromTarget = "Target.detachedFromTarget" { session_id: String }
}

/// A target.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetInfo {
    pub(crate) target_id: String,
    /// `page`, `iframe`, `worker`, `shared_worker`, `service_worker`, …
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) browser_context_id: Option<String>,
}
