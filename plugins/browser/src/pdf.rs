//! `browser_pdf`: print the page. Contract: browser, pdf.

use abx_sdk::browser::{self, Paper};
use abx_sdk::json::Bulky;
use abx_sdk::{Member, Problem, Request, Response};

use crate::arguments::flag;
use crate::problem::{bad_option, problem};

/// Names and sizes in inches, upright.
const FORMATS: [(&str, f64, f64); 11] = [
    ("letter", 8.5, 11.0),
    ("legal", 8.5, 14.0),
    ("tabloid", 11.0, 17.0),
    ("ledger", 17.0, 11.0),
    ("a0", 33.1, 46.8),
    ("a1", 23.4, 33.1),
    ("a2", 16.54, 23.4),
    ("a3", 11.7, 16.54),
    ("a4", 8.27, 11.7),
    ("a5", 5.83, 8.27),
    ("a6", 4.13, 5.83),
];

pub(crate) fn pdf(request: &Request) -> Result<Response, Problem> {
    let [format, landscape] = request.members(["format", "landscape"])?;
    let Some(paper) = paper(format) else {
        // The browser's own client finds this out.
        browser::ready().map_err(problem)?;
        return Err(bad_option("format must be Letter, Legal, Tabloid, Ledger or A0 to A6"));
    };
    let printout = browser::print(paper, flag(landscape, false)).map_err(problem)?;
    let mut answer = Bulky::new(32);
    answer.base64("pdf_base64", printout.document);
    // Nodes of the page tree count too: the contract keeps it so.
    answer.members(|answer| answer.integer("pages", printout.page_marks.max(1)));
    Ok(Response::segments(answer.finish()))
}

/// None: no such format.
fn paper(member: Option<Member<'_>>) -> Option<Paper> {
    let name = match member {
        None => "a4".into(),
        Some(member) => member.text()?,
    };
    let name = if name.is_empty() { "letter" } else { &*name };
    let known = FORMATS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    known.map(|(_, width, height)| Paper { width: *width, height: *height })
}

#[cfg(test)]
mod tests {
    use super::paper;
    use abx_sdk::members;

    #[test]
    fn formats_go_by_name_in_any_case() {
        for (value, width) in [
            (r#""Letter""#, Some(8.5)),
            (r#""""#, Some(8.5)),
            (r#""a4""#, Some(8.27)),
            (r#""LEDGER""#, Some(17.0)),
            (r#""A7""#, None),
            ("null", None),
            ("4", None),
        ] {
            let text = format!(r#"{{"f":{value}}}"#);
            let [member] = members(text.as_bytes(), ["f"]).unwrap();
            assert_eq!(paper(member).map(|paper| paper.width), width, "{value}");
        }
        assert_eq!(paper(None).map(|paper| paper.height), Some(11.7));
    }
}
