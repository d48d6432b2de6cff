//! What `echo` and its next version answer.

use abx_sdk::{Problem, Request, Response, json, members, rule};

/// The text of the query, or of a body that is read only now: the request lasts as long as its client wants. `echo_rule`
/// adds the limit that it is served under.
pub(crate) fn to(op: &str, mut request: Request, version: &str) -> Result<Response, Problem> {
    let text = match request.take_unread() {
        Some(body) => {
            let object = abx_sdk::bulk::read_json(body, None)?;
            let [text] = members(&object.text, ["text"])?;
            text.and_then(|text| text.text().map(|text| text.into_owned()))
        }
        None => request.query("text").map(str::to_owned),
    };
    Ok(Response::json(json::object(64, |answer| {
        answer.text("text", text.as_deref().unwrap_or_default());
        answer.text("endpoint", op);
        answer.text("version", version);
        if op == "echo_rule" {
            answer.integer("limit", rule::limit("max_results").unwrap_or_default());
        }
    })))
}
