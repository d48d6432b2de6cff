//! Entering text (`contract: browser`, type).

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::keys::Key;
use super::{Limit, Page, USUAL};
use crate::cdp::protocol::input::{DispatchKeyEvent, InsertText};
use crate::failure::Failure;

/// How to type.
#[derive(Debug, Clone, Copy)]
pub struct TypingOptions {
    /// Time that a key is held, or between characters that have none.
    pub delay: Duration,
    /// Empty the element first.
    pub clear: bool,
}

const WHAT: &str = "the text to be typed";

impl Page {
    /// Focuses the first element that matches, and presses the keys for `text`.
    ///
    /// # Errors
    /// [`Failure::Unfit`] for a bad selector, or an element that can't be emptied; [`Failure::TimedOut`],
    /// [`Failure::Closed`].
    pub(crate) async fn type_text(&self, selector: &str, text: &str, options: TypingOptions) -> Result<(), Failure> {
        if options.clear {
            let limit = Limit::of(USUAL);
            let what = format!("{selector} to be editable");
            let cleared = self.ask(limit, &what, "clear", &[json!(selector), json!(limit.left())]).await?;
            if cleared == "selected" {
                self.press(limit, &Key::delete(), Duration::ZERO).await?;
            }
        }
        let limit = Limit::of(USUAL);
        self.ask(limit, &format!("{selector} to be there"), "focus", &[json!(selector), json!(limit.left())]).await?;
        for letter in text.chars() {
            match Key::of(letter) {
                Some(key) => self.press(limit, &key, options.delay).await?,
                None => {
                    pause(limit, options.delay).await?;
                    let text = &*letter.to_string();
                    self.call(limit, WHAT, &InsertText { text }).await?;
                }
            }
        }
        Ok(())
    }

    async fn press(&self, limit: Limit, key: &Key, delay: Duration) -> Result<(), Failure> {
        let text = key.text.as_deref();
        let down = DispatchKeyEvent {
            kind: if text.is_some() { "keyDown" } else { "rawKeyDown" },
            key: &key.key,
            code: &key.code,
            windows_virtual_key_code: key.number,
            text,
            unmodified_text: text,
        };
        let up = DispatchKeyEvent { kind: "keyUp", text: None, unmodified_text: None, ..down.clone() };
        self.call(limit, WHAT, &down).await?;
        pause(limit, delay).await?;
        self.call(limit, WHAT, &up).await?;
        Ok(())
    }
}

async fn pause(limit: Limit, delay: Duration) -> Result<(), Failure> {
    if delay.is_zero() {
        return Ok(());
    }
    let end = Limit::of(delay).end;
    sleep_until(end.min(limit.end)).await;
    if end > limit.end && Instant::now() >= limit.end { Err(limit.over(WHAT)) } else { Ok(()) }
}
