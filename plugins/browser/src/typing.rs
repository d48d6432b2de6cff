//! `browser_type`: enter text into the element that a selector names. Contract: browser, type.

use abx_sdk::browser::{self, TypingOptions};
use abx_sdk::{Member, Problem, Request, Response, json};

use crate::arguments::{delay, flag, required};
use crate::problem::problem;

/// Milliseconds between keys.
const DELAY: u64 = 50;

pub(crate) fn type_text(request: &Request) -> Result<Response, Problem> {
    let [selector, text, wait, clear] = request.members(["selector", "text", "delay", "clear"])?;
    let selector = required("selector", selector)?;
    let text =
        text.and_then(Member::text).ok_or_else(|| Problem::value_error("text is required and must be a string"))?;
    let options = TypingOptions { delay: delay(wait, DELAY), clear: flag(clear, false) };
    browser::type_text(&selector, &text, options).map_err(problem)?;
    Ok(Response::json(json::object(48 + selector.len() + text.len(), |answer| {
        answer.flag("typed", true);
        answer.text("selector", &selector);
        answer.text("text", &text);
    })))
}
