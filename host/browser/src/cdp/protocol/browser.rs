//! Domain `Browser`.

use serde::Deserialize;

use super::Nothing;
use crate::cdp::command::commands;

commands! {
    /// Asks for the browser's name: the first words, which tell that it is there.
    GetVersion = "Browser.getVersion" -> Version {}

    /// What becomes of downloads in a context.
    SetDownloadBehavior<'a> = "Browser.setDownloadBehavior" -> Nothing {
        behavior: &'static str,
        browser_context_id: &'a str,
    }
}

/// What a browser calls itself.
#[derive(Debug, Deserialize)]
pub(crate) struct Version {
    /// Such as `Chrome/156.0.8078.108`.
    pub(crate) product: String,
}
