//! `browser_navigate`: load an address. Contract: browser, navigate.

use abx_sdk::browser::{self, Milestone, NavigateOptions};
use abx_sdk::{Member, Problem, Request, Response, json};

use crate::arguments::{required, timeout};
use crate::problem::{bad_option, problem};

/// Milliseconds.
const TIMEOUT: u64 = 30_000;

pub(crate) fn navigate(request: &Request) -> Result<Response, Problem> {
    let [url, wait_until, time] = request.members(["url", "wait_until", "timeout"])?;
    let url = required("url", url)?;
    let Some(wait_until) = milestone(wait_until) else {
        // A word that it does not know is the browser's to refuse, so first of all there has to be one.
        browser::admit(&url)?;
        browser::ready().map_err(problem)?;
        return Err(bad_option("wait_until must be load, domcontentloaded, networkidle or commit"));
    };
    let options = NavigateOptions { wait_until, timeout: timeout(time, TIMEOUT) };
    let landing = browser::navigate(&url, options).map_err(problem)?;
    Ok(Response::json(json::object(64 + landing.url.len() + landing.title.len(), |answer| {
        answer.text("url", &landing.url);
        answer.text("title", &landing.title);
        answer.integer("status", landing.status);
    })))
}

/// None: no such word.
fn milestone(member: Option<Member<'_>>) -> Option<Milestone> {
    match member.map(|member| member.text().unwrap_or_default()).as_deref() {
        None | Some("networkidle") => Some(Milestone::NetworkIdle),
        Some("load") => Some(Milestone::Load),
        Some("domcontentloaded") => Some(Milestone::DomContentLoaded),
        Some("commit") => Some(Milestone::Commit),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::milestone;
    use abx_sdk::browser::Milestone;
    use abx_sdk::members;

    #[test]
    fn milestones_are_four_words_in_lower_case() {
        assert_eq!(milestone(None), Some(Milestone::NetworkIdle));
        for (value, expected) in [
            (r#""load""#, Some(Milestone::Load)),
            (r#""domcontentloaded""#, Some(Milestone::DomContentLoaded)),
            (r#""networkidle""#, Some(Milestone::NetworkIdle)),
            (r#""commit""#, Some(Milestone::Commit)),
            (r#""Load""#, None),
            (r#""""#, None),
            ("null", None),
            ("5", None),
        ] {
            let text = format!(r#"{{"w":{value}}}"#);
            let [member] = members(text.as_bytes(), ["w"]).unwrap();
            assert_eq!(milestone(member), expected, "{value}");
        }
    }
}
