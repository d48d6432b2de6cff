//! `process_stdin`: feed the input of a process. Contract: process §7.

use abx_sdk::process::{self, WriteFailure};
use abx_sdk::{Member, Problem, Request, Response, base64, json};

use crate::pid;

pub(crate) fn stdin(request: &Request) -> Result<Response, Problem> {
    let pid = pid::of(request)?;
    let child = process::find(pid).ok_or_else(pid::unknown)?;
    if !child.stdin {
        return Err(pid::conflict("the process has no input, or it was closed").into());
    }
    let [encoded, text, eof] = request.members(["data_base64", "data", "eof"])?;
    let (data, close) = (data(encoded, text)?, eof.is_some_and(Member::is_truthy));
    if data.is_empty() && !close {
        return Err(Problem::value_error("data, data_base64 or eof is required"));
    }
    let written = process::write(pid, &data, close).map_err(problem)?;
    Ok(Response::json(answer(pid, written, close)))
}

/// What is to be written; nothing, where neither member is there.
fn data(encoded: Option<Member<'_>>, text: Option<Member<'_>>) -> Result<Vec<u8>, Problem> {
    match (encoded, text) {
        (Some(encoded), _) => {
            let data = encoded.text().and_then(|text| base64::decode(&text));
            data.ok_or_else(|| Problem::value_error("data_base64 must be base64"))
        }
        (None, Some(text)) => {
            let text = text.text().ok_or_else(|| Problem::value_error("data must be text"))?;
            Ok(text.into_owned().into_bytes())
        }
        (None, None) => Ok(Vec::new()),
    }
}

fn problem(failure: WriteFailure) -> Problem {
    match failure {
        WriteFailure::Missing => pid::unknown(),
        WriteFailure::Closed => pid::conflict("nobody reads the input of the process any more").into(),
        WriteFailure::Stalled(written) => {
            pid::conflict("the process does not read its input").with_integer("written", written).into()
        }
    }
}

fn answer(pid: u32, written: u64, closed: bool) -> Vec<u8> {
    json::object(64, |answer| {
        answer.integer("pid", pid);
        answer.integer("written", written);
        answer.flag("closed", closed);
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, data, problem};
    use abx_sdk::members;
    use abx_sdk::process::WriteFailure;

    fn read(body: &str) -> Option<Vec<u8>> {
        let [encoded, text] = members(body.as_bytes(), ["data_base64", "data"]).unwrap();
        data(encoded, text).ok()
    }

    #[test]
    fn bytes_come_as_text_or_as_base64_which_wins() {
        for (body, bytes) in [
            ("{}", Some(&b""[..])),
            (r#"{"data":""}"#, Some(b"")),
            (r#"{"data":"h\u00e9\u0000"}"#, Some("hé\0".as_bytes())),
            (r#"{"data_base64":"/wA="}"#, Some(b"\xff\0")),
            (r#"{"data_base64":"","data":"x"}"#, Some(b"")),
            (r#"{"data_base64":"YQ==","data":5}"#, Some(b"a")),
            (r#"{"data":null}"#, None),
            (r#"{"data":5}"#, None),
            (r#"{"data_base64":"YQ"}"#, None),
            (r#"{"data_base64":"Y Q=="}"#, None),
            (r#"{"data_base64":5,"data":"x"}"#, None),
            (r#"{"data_base64":null,"data":"x"}"#, None),
        ] {
            assert_eq!(read(body).as_deref(), bytes, "{body}");
        }
    }

    #[test]
    fn what_did_not_go_through_is_a_conflict() {
        for (failure, status, kind) in [
            (WriteFailure::Missing, 404, "NotFoundError"),
            (WriteFailure::Closed, 409, "ConflictError"),
            (WriteFailure::Stalled(7), 409, "ConflictError"),
        ] {
            let problem = problem(failure);
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (status, kind, None));
        }
        let stalled = problem(WriteFailure::Stalled(7));
        assert_eq!(stalled.fault().unwrap().fields, [("written".to_owned(), "7".to_owned())]);
    }

    #[test]
    fn the_answer_counts_bytes() {
        assert_eq!(answer(7, 6, false), br#"{"pid":7,"written":6,"closed":false}"#);
    }
}
