//! Domain `Log`: what the browser itself has to say.

use serde::Deserialize;

use super::Nothing;
use crate::cdp::command::{commands, events};

commands! {
    /// Tells entries.
    Enable = "Log.enable" -> Nothing {}
}

events! {
    /// An entry.
    EntryAdded = "Log.entryAdded" { entry: Entry }
}

/// An entry.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Entry {
    /// Such as `network`, `worker`.
    pub(crate) source: String,
    /// `verbose`, `info`, `warning` or `error`.
    pub(crate) level: String,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) url: String,
}
