//! `process_signal`: send a signal. Contract: process §6.

use abx_sdk::failures::{Failure, OsError};
use abx_sdk::{Fault, Member, Problem, Request, Response, json, process};

use crate::pid;

/// SIGINT, SIGKILL, SIGTERM, SIGCONT and SIGTSTP.
const KNOWN: [i64; 5] = [2, 9, 15, 18, 20];

pub(crate) fn signal(request: &Request) -> Result<Response, Problem> {
    let pid = pid::of(request)?;
    let [member] = request.members(["signal"])?;
    let signal = number(member)?;
    process::signal(pid, signal).map_err(problem)?;
    Ok(Response::json(json::object(32, |answer| {
        answer.integer("pid", pid);
        answer.integer("signal", signal);
    })))
}

fn number(member: Option<Member<'_>>) -> Result<i32, Problem> {
    let number = member.and_then(Member::whole).ok_or_else(|| Problem::value_error("signal must be a number"))?;
    let known = KNOWN.contains(&number).then(|| i32::try_from(number).ok()).flatten();
    known.ok_or_else(|| Problem::value_error("signal must be one of 2, 9, 15, 18 and 20"))
}

fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Missing(_) => pid::unknown(),
        Failure::Os(OsError { errno: 1, message }) => Fault::new(403, "PermissionError", message).into(),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{number, problem};
    use abx_sdk::failures::{Denial, Failure, OsError};
    use abx_sdk::members;

    #[test]
    fn signals_are_a_few_numbers_taken_as_int_takes_them() {
        for (text, signal) in [
            ("15", Some(15)),
            ("9", Some(9)),
            ("2.9", Some(2)),
            (r#""15 ""#, Some(15)),
            ("18", Some(18)),
            ("20", Some(20)),
            ("true", None),
            ("1", None),
            ("19", None),
            ("0", None),
            ("-9", None),
            ("4294967305", None),
            ("null", None),
            (r#""TERM""#, None),
            (r#""2.9""#, None),
            ("[9]", None),
        ] {
            let text = format!(r#"{{"signal":{text}}}"#);
            let [member] = members(text.as_bytes(), ["signal"]).unwrap();
            assert_eq!(number(member).ok(), signal, "{text}");
        }
        let problem = number(None).unwrap_err();
        assert_eq!((problem.fault().unwrap().status, problem.code()), (400, None));
    }

    #[test]
    fn refusals_are_the_contracts() {
        let os = |errno| Failure::Os(OsError { errno, message: "m".to_owned() });
        for (failure, status, kind) in [
            (Failure::Missing("m".to_owned()), 404, "NotFoundError"),
            (os(1), 403, "PermissionError"),
            (os(22), 500, "OSError"),
        ] {
            let problem = problem(failure);
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (status, kind, None));
        }
        let denial = Denial { code: "signal_not_allowed".to_owned(), message: "m".to_owned() };
        assert_eq!(problem(Failure::Denied(denial)).denial().unwrap().code, "signal_not_allowed");
    }
}
