//! `code_run`: code in a fresh interpreter. Contract: dev_tools.

use abx_sdk::children::{Finished, RunOptions};
use abx_sdk::code::{self, Language};
use abx_sdk::json::{Bulky, Object};
use abx_sdk::{Fault, Member, Problem, Request, Response, rule};

/// Seconds when the caller doesn't say, or says what can't be meant.
const USUAL: i64 = 30;
/// Most seconds.
const MOST: i64 = 300;

/// What callers are told of how far this is from a sandbox.
const NOTE: &str = "the code ran with the rights of this server: what isolates it is the container around both";

pub(crate) fn code_run(request: &Request) -> Result<Response, Problem> {
    let [text, language, timeout] = request.members(["code", "language", "timeout"])?;
    let text = self::text(text)?;
    let (name, language) = self::language(language)?;
    let options = RunOptions { timeout: milliseconds(timeout), max_output: rule::limit("max_output_bytes") };
    let Finished { exit_code, timed_out, stdout, stderr, truncated, elapsed } = code::run(language, &text, options)?;
    if timed_out {
        let fault = Fault::new(408, "TimeoutError", "the code took longer than it may");
        return Err(fault.with_source("stdout", stdout).with_source("stderr", stderr).into());
    }
    let mut answer = Bulky::new(256);
    answer.json_text("stdout", stdout);
    answer.json_text("stderr", stderr);
    answer.members(|answer| end(answer, exit_code, name, elapsed, truncated));
    Ok(Response::segments(answer.finish()))
}

/// The code: text that is not empty, as a program can be handed it.
fn text<'a>(member: Option<Member<'a>>) -> Result<std::borrow::Cow<'a, str>, Problem> {
    let text = member.and_then(Member::text).filter(|text| !text.is_empty() && !text.contains('\0'));
    text.ok_or_else(|| Problem::value_error("code must be text that is not empty and has no NUL in it"))
}

fn language(member: Option<Member<'_>>) -> Result<(&'static str, Language), Problem> {
    let name = member.map(|member| member.text().unwrap_or_default().to_lowercase());
    match name.as_deref() {
        None | Some("python") => Ok(("python", Language::Python)),
        Some("node") => Ok(("node", Language::Node)),
        Some("bash") => Ok(("bash", Language::Bash)),
        Some(_) => Err(Problem::value_error("language must be python, node or bash")),
    }
}

/// The caller's seconds, in milliseconds. What can't be meant counts as not given.
fn milliseconds(timeout: Option<Member<'_>>) -> u64 {
    let seconds = timeout.and_then(Member::whole).filter(|seconds| *seconds > 0).unwrap_or(USUAL);
    seconds.min(MOST).unsigned_abs() * 1000
}

fn end(answer: &mut Object<'_>, exit_code: i32, language: &str, elapsed: u64, truncated: bool) {
    answer.integer("exit_code", exit_code);
    answer.text("language", language);
    answer.float("execution_time_ms", hundredths(elapsed));
    answer.text("_security_note", NOTE);
    if truncated {
        answer.flag("truncated", true);
    }
}

/// Microseconds as milliseconds, to two decimals.
#[expect(clippy::cast_precision_loss, reason = "no run takes so long that a double could not tell")]
fn hundredths(microseconds: u64) -> f64 {
    (microseconds as f64 / 10.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::{end, language, milliseconds, text};
    use abx_sdk::{json, members};
    use serde_json::{Value, json};

    #[test]
    fn code_is_text_that_is_not_empty() {
        let read = |body: &str| {
            let [code] = members(body.as_bytes(), ["code"]).unwrap();
            text(code).map(|text| text.into_owned()).map_err(|problem| problem.fault().unwrap().status)
        };
        assert_eq!(read(r#"{"code":" \n"}"#), Ok(" \n".to_owned()));
        for body in [
            "{}",
            r#"{"code":""}"#,
            r#"{"code":["x"]}"#,
            r#"{"code":5}"#,
            r#"{"code":null}"#,
            r#"{"code":"a\u0000b"}"#,
            r#"{"code":"\ud800"}"#,
        ] {
            assert_eq!(read(body), Err(400), "{body}");
        }
    }

    #[test]
    fn languages_are_words_in_any_case() {
        let read = |text: &str| {
            let text = format!(r#"{{"l":{text}}}"#);
            let [member] = members(text.as_bytes(), ["l"]).unwrap();
            language(member).map(|(name, _)| name).ok()
        };
        assert_eq!(language(None).map(|(name, _)| name).ok(), Some("python"));
        for (text, name) in [
            (r#""Python""#, Some("python")),
            (r#""NODE""#, Some("node")),
            (r#""bash""#, Some("bash")),
            (r#"" bash""#, None),
            (r#""""#, None),
            ("null", None),
            ("5", None),
            (r#""ruby""#, None),
        ] {
            assert_eq!(read(text), name, "{text}");
        }
    }

    #[test]
    fn times_are_whole_seconds_within_bounds() {
        for (text, seconds) in [
            ("1.9", 1),
            ("true", 1),
            (r#""10""#, 10),
            ("301", 300),
            ("1e300", 300),
            ("1e999", 30),
            ("9999999999999999999", 300),
            ("0.1", 30),
            ("0", 30),
            ("-5", 30),
            ("false", 30),
            (r#""x""#, 30),
            (r#""1.5""#, 30),
            ("null", 30),
            ("[]", 30),
        ] {
            let text = format!(r#"{{"t":{text}}}"#);
            let [member] = members(text.as_bytes(), ["t"]).unwrap();
            assert_eq!(milliseconds(member), seconds * 1000, "{text}");
        }
        assert_eq!(milliseconds(None), 30_000);
    }

    #[test]
    fn the_end_has_exactly_the_contracts_keys() {
        let read = |truncated| -> Value {
            serde_json::from_slice(&json::object(0, |answer| end(answer, -9, "bash", 286_284, truncated))).unwrap()
        };
        let note = &read(false)["_security_note"];
        assert!(!note.as_str().unwrap().is_empty());
        let expected =
            json!({"exit_code": -9, "language": "bash", "execution_time_ms": 286.28, "_security_note": note});
        assert_eq!(read(false), expected);
        assert_eq!(read(true)["truncated"], true);
    }
}
