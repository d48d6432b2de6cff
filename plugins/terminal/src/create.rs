//! `pty_create_session`: open a terminal with a shell. Contract: terminal, POST /pty/sessions.

use abx_sdk::failures::Failure;
use abx_sdk::terminal::{self, Session, Shell, Size};
use abx_sdk::{Fault, Member, Problem, Request, Response, json};

use crate::size;

/// The shells that there may be, the usual one first.
const SHELLS: [&str; 5] = ["/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash", "/usr/bin/zsh"];

/// The size of a terminal of which nothing is said.
const COLS: u16 = 80;
const ROWS: u16 = 24;

pub(crate) fn create(request: &Request) -> Result<Response, Problem> {
    let session = terminal::create(&shell(request)?).map_err(problem)?;
    Ok(Response::json(answer(&session, terminal::port())))
}

/// What is asked for, judged in the contract's order (steps 1 to 3) as far as it is not the host's to judge.
fn shell(request: &Request) -> Result<Shell, Problem> {
    let [shell, cols, rows, env] = request.members(["shell", "cols", "rows", "env"])?;
    let program = program(shell)?.to_owned();
    let side = |name, given: Option<Member<'_>>, usual| match given {
        Some(given) => size::side(name, given, 0..=u16::MAX),
        None => Ok(usual),
    };
    let size = Size { cols: side("cols", cols, COLS)?, rows: side("rows", rows, ROWS)? };
    Ok(Shell { program, size, variables: variables(env)? })
}

fn program(given: Option<Member<'_>>) -> Result<&'static str, Problem> {
    let Some(given) = given else { return Ok(SHELLS[0]) };
    let text = given.text().unwrap_or_default();
    let known = SHELLS.into_iter().find(|known| *known == text);
    known.ok_or_else(|| Problem::value_error(["shell must be one of ", &SHELLS.join(", ")].concat()))
}

/// In the caller's order. A value that is no text is for the host to refuse, at its place among the others.
fn variables(env: Option<Member<'_>>) -> Result<Vec<(String, Option<String>)>, Problem> {
    let Some(env) = env.filter(|env| !env.is_null()) else { return Ok(Vec::new()) };
    let Some(entries) = env.entries() else {
        return Err(Fault::new(400, "ValueError", "env must be an object").with_code("env_invalid").into());
    };
    Ok(entries.into_iter().map(|(name, value)| (name.into_owned(), value.text().map(Into::into))).collect())
}

/// Contract: terminal, steps 9 and 10.
fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Exhausted(message) => {
            let fault = Fault::new(429, "RuntimeError", message).with_code("concurrency_limited");
            fault.with_integer("retry_after", 1).with_header("retry-after", "1").into()
        }
        // Whatever the system said: the contract has one type for all of it.
        Failure::Os(error) => Fault::new(500, "OSError", error.message).into(),
        other => other.into(),
    }
}

fn answer(session: &Session, port: u16) -> Vec<u8> {
    json::object(128, |answer| {
        answer.text("session_id", &session.id);
        let url = ["ws://localhost:", &port.to_string(), "/pty?session_id=", &session.id].concat();
        answer.text("ws_url", &url);
        answer.integer("pid", session.pid);
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, problem, shell};
    use crate::session::tests::session;
    use abx_sdk::failures::{Failure, OsError};
    use abx_sdk::terminal::Shell;
    use abx_sdk::{InBody, Request};
    use serde_json::{Value, json};

    /// What a body asks for, or the code of its refusal, which is a 400.
    fn asked(body: &Value) -> Result<Shell, Option<String>> {
        let body = InBody::Json(body.to_string().into_bytes());
        let request = Request { path_params: vec![], query: vec![], headers: vec![], body };
        shell(&request).map_err(|problem| {
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind), (400, "ValueError"));
            fault.code.clone()
        })
    }

    #[test]
    fn nothing_is_a_bash_of_the_usual_size() {
        for body in [json!({}), json!({"env": null, "unknown": [1]}), json!({"env": {}})] {
            let shell = asked(&body).unwrap();
            assert_eq!((&*shell.program, shell.size.cols, shell.size.rows), ("/bin/bash", 80, 24));
            assert!(shell.variables.is_empty());
        }
    }

    #[test]
    fn a_shell_is_one_of_the_list_as_it_is_written() {
        for known in ["/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash", "/usr/bin/zsh"] {
            assert_eq!(asked(&json!({"shell": known})).unwrap().program, known);
        }
        for other in [
            json!(null),
            json!(5),
            json!(["/bin/sh"]),
            json!(""),
            json!("bash"),
            json!("/bin//bash"),
            json!("/bin/../bin/bash"),
            json!("/bin/dash"),
            json!("/usr/bin/sh"),
        ] {
            assert_eq!(asked(&json!({"shell": other})).err(), Some(None), "{other}");
        }
    }

    #[test]
    fn sizes_are_taken_as_int_takes_them() {
        let shell = asked(&json!({"cols": 80.9, "rows": " 24 "})).unwrap();
        assert_eq!((shell.size.cols, shell.size.rows), (80, 24));
        let shell = asked(&json!({"cols": 65535, "rows": false})).unwrap();
        assert_eq!((shell.size.cols, shell.size.rows), (65535, 0));
        for bad in [json!(65536), json!(-1), json!("80.5"), json!("x"), json!(null), json!([80]), json!({})] {
            assert_eq!(asked(&json!({"cols": bad})).err(), Some(None), "{bad}");
            assert_eq!(asked(&json!({"rows": bad})).err(), Some(None), "{bad}");
        }
    }

    #[test]
    fn variables_keep_their_order_and_what_is_no_text_its_place() {
        let body = r#"{"env":{"Z":"1","A":5,"B":null,"C":""}}"#;
        let shell = asked(&serde_json::from_str(body).unwrap()).unwrap();
        let pair = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let mut found = shell.variables;
        // `serde_json` sorts what it writes; the order of the text is tested where the text is read.
        found.sort();
        assert_eq!(found, [pair("A", None), pair("B", None), pair("C", Some("")), pair("Z", Some("1"))]);
        for bad in [json!([]), json!("A=1"), json!(0), json!(false)] {
            assert_eq!(asked(&json!({"env": bad})).err(), Some(Some("env_invalid".to_owned())), "{bad}");
        }
    }

    #[test]
    fn checks_come_in_the_contracts_order() {
        assert_eq!(asked(&json!({"shell": "x", "cols": "x", "env": []})).err(), Some(None));
        assert_eq!(asked(&json!({"cols": "x", "env": []})).err(), Some(None));
    }

    #[test]
    fn failures_are_worded_as_the_contract_words_them() {
        let full = problem(Failure::Exhausted("m".into()));
        let fault = full.fault().unwrap();
        assert_eq!((fault.status, &*fault.kind, full.code()), (429, "RuntimeError", Some("concurrency_limited")));
        assert_eq!(fault.headers, [("retry-after".to_owned(), "1".to_owned())]);
        for errno in [2, 13, 11] {
            let failed = problem(Failure::Os(OsError { errno, message: "m".into() }));
            let fault = failed.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, failed.code()), (500, "OSError", None));
        }
    }

    #[test]
    fn the_answer_has_exactly_the_contracts_keys() {
        let expected = json!({
            "session_id": "358adbfdb3b6", "ws_url": "ws://localhost:9001/pty?session_id=358adbfdb3b6", "pid": 7,
        });
        assert_eq!(serde_json::from_slice::<Value>(&answer(&session(), 9001)).unwrap(), expected);
    }
}
