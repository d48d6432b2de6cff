//! `browser_click`: click the element that a selector names. Contract: browser, click.

use abx_sdk::{Problem, Request, Response, browser, json};

use crate::arguments::{required, timeout};
use crate::problem::problem;

/// Milliseconds.
const TIMEOUT: u64 = 5000;

pub(crate) fn click(request: &Request) -> Result<Response, Problem> {
    let [selector, time] = request.members(["selector", "timeout"])?;
    let selector = required("selector", selector)?;
    browser::click(&selector, timeout(time, TIMEOUT)).map_err(problem)?;
    Ok(Response::json(json::object(40 + selector.len(), |answer| {
        answer.flag("clicked", true);
        answer.text("selector", &selector);
    })))
}
