//! `browser_evaluate`: run a script inside the page. Contract: browser, evaluate.

use abx_sdk::json::Bulky;
use abx_sdk::{Problem, Request, Response, browser};

use crate::arguments::{required, timeout};
use crate::problem::problem;

/// Milliseconds.
const TIMEOUT: u64 = 10_000;

pub(crate) fn evaluate(request: &Request) -> Result<Response, Problem> {
    let [script, time] = request.members(["script", "timeout"])?;
    let script = required("script", script)?;
    let value = browser::evaluate(&script, timeout(time, TIMEOUT)).map_err(problem)?;
    let mut answer = Bulky::new(16);
    answer.raw("result", value);
    Ok(Response::segments(answer.finish()))
}
