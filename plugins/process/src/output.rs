//! `process_output`: what a process wrote, from a number on. Contract: process §8.

use abx_sdk::json::Bulky;
use abx_sdk::{Problem, Request, Response, json, process};

use crate::pid;

/// Longest wait for output, in seconds.
const LONGEST: f64 = 30.0;

pub(crate) fn output(request: &Request) -> Result<Response, Problem> {
    let pid = pid::of(request)?;
    let child = process::find(pid).ok_or_else(pid::unknown)?;
    if !child.captured {
        return Err(pid::conflict("the output of the process is not kept").into());
    }
    let (since, wait) = (since(request)?, wait(request)?);
    let page = process::output(pid, since, wait).ok_or_else(pid::unknown)?;
    let mut answer = Bulky::new(160);
    answer.members(|answer| answer.integer("pid", pid));
    answer.raw("events", page.events);
    answer.members(|answer| end(answer, page.next, page.exit_code, page.dropped));
    Ok(Response::segments(answer.finish()))
}

fn since(request: &Request) -> Result<u64, Problem> {
    Ok(u64::try_from(request.query_integer("since")?.unwrap_or(0)).unwrap_or(0))
}

/// In whole milliseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between zero and the longest")]
fn wait(request: &Request) -> Result<u64, Problem> {
    let seconds = request.query_float("wait")?.unwrap_or(0.0).clamp(0.0, LONGEST);
    Ok((seconds * 1000.0).ceil() as u64)
}

fn end(answer: &mut json::Object<'_>, next: u64, exit_code: Option<i32>, dropped: bool) {
    answer.integer("next", next);
    answer.text("state", pid::state(exit_code));
    pid::exit_code(answer, exit_code);
    answer.flag("dropped", dropped);
}

#[cfg(test)]
mod tests {
    use super::{end, since, wait};
    use crate::pid::tests::request;
    use abx_sdk::json;

    #[test]
    fn numbers_are_clamped() {
        for (from, long, expected) in [
            ("", "", (0, 0)),
            ("7", "2.5", (7, 2500)),
            ("-7", "-1", (0, 0)),
            (" +1_0 ", "inf", (10, 30_000)),
            ("99999999999999999999", "30.5", (i64::MAX as u64, 30_000)),
        ] {
            let request = request("7", &[("since", from), ("wait", long)]);
            assert_eq!((since(&request).unwrap(), wait(&request).unwrap()), expected, "{from} {long}");
        }
        for text in ["x", "1.5", "1e3"] {
            assert_eq!(since(&request("7", &[("since", text)])).unwrap_err().fault().unwrap().status, 400, "{text}");
        }
        for text in ["x", "nan"] {
            assert_eq!(wait(&request("7", &[("wait", text)])).unwrap_err().fault().unwrap().status, 400, "{text}");
        }
    }

    #[test]
    fn the_end_of_an_answer_tells_the_state() {
        let text = |exit_code, dropped| {
            let text = json::object(0, |answer| end(answer, 3, exit_code, dropped));
            String::from_utf8(text).unwrap()
        };
        assert_eq!(text(None, false), r#"{"next":3,"state":"running","exit_code":null,"dropped":false}"#);
        assert_eq!(text(Some(-9), true), r#"{"next":3,"state":"exited","exit_code":-9,"dropped":true}"#);
    }
}
