//! Domain `IO`: streams of the browser.

use serde::Deserialize;

use super::Nothing;
use crate::cdp::command::commands;

commands! {
    /// Reads some of a stream.
    Read<'a> = "IO.read" -> Chunk { handle: &'a str, size: u32 }

    /// Closes one.
    Close<'a> = "IO.close" -> Nothing { handle: &'a str }
}

/// Some of a stream.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Chunk {
    #[serde(default)]
    pub(crate) base64_encoded: bool,
    pub(crate) data: String,
    /// The end has been reached.
    pub(crate) eof: bool,
}
