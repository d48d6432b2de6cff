//! Domain `Input`.

use super::Nothing;
use crate::cdp::command::commands;

commands! {
    /// The mouse does something, in CSS pixels of the view.
    DispatchMouseEvent = "Input.dispatchMouseEvent" -> Nothing {
        #[serde(rename = "type")]
        kind: &'static str,
        x: f64,
        y: f64,
        button: &'static str,
        /// Bits of the buttons that are held.
        buttons: u8,
        click_count: u8,
    }

    /// A key goes down or up.
    DispatchKeyEvent<'a> = "Input.dispatchKeyEvent" -> Nothing {
        #[serde(rename = "type")]
        kind: &'static str,
        key: &'a str,
        code: &'a str,
        windows_virtual_key_code: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        unmodified_text: Option<&'a str>,
    }

    /// Text appears without a key.
    InsertText<'a> = "Input.insertText" -> Nothing { text: &'a str }
}
