//! `browser_content`: the page as HTML or text. Contract: browser, content.

use abx_sdk::browser::{self, ContentForm};
use abx_sdk::json::Bulky;
use abx_sdk::{Problem, Request, Response};

use crate::problem::problem;

pub(crate) fn content(request: &Request) -> Result<Response, Problem> {
    let content = browser::content(form(request.query("type"))).map_err(problem)?;
    let mut answer = Bulky::new(64 + content.url.len() + content.title.len());
    answer.json_text("content", content.text);
    answer.members(|answer| {
        answer.text("url", &content.url);
        answer.text("title", &content.title);
    });
    Ok(Response::segments(answer.finish()))
}

/// Anything that is not `text` in any case is HTML.
fn form(kind: Option<&str>) -> ContentForm {
    let is_text = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("text"));
    if is_text { ContentForm::Text } else { ContentForm::Html }
}

#[cfg(test)]
mod tests {
    use super::form;
    use abx_sdk::browser::ContentForm;

    #[test]
    fn only_text_is_no_html() {
        for (kind, expected) in [
            (None, ContentForm::Html),
            (Some("html"), ContentForm::Html),
            (Some("markdown"), ContentForm::Html),
            (Some("text"), ContentForm::Text),
            (Some("TEXT"), ContentForm::Text),
        ] {
            assert_eq!(form(kind), expected, "{kind:?}");
        }
    }
}
