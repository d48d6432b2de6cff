//! The process that a path names, and what can be told of one. Contract: process §5.

use abx_sdk::process::Child;
use abx_sdk::{Fault, Problem, Request, json};

/// The number in the path. One that no process can have is 0, which none has.
///
/// # Errors
///
/// `ValueError` if it is no integer.
pub(crate) fn of(request: &Request) -> Result<u32, Problem> {
    Ok(u32::try_from(request.path_integer(0, "pid")?).unwrap_or(0))
}

pub(crate) fn unknown() -> Problem {
    Fault::new(404, "NotFoundError", "no process of that number was started here").into()
}

/// 409 `ConflictError`, without a code: the process is not one that this can be done with.
pub(crate) fn conflict(message: &str) -> Fault {
    Fault::new(409, "ConflictError", message)
}

/// Number, command, state and start of a process.
pub(crate) fn describe(answer: &mut json::Object<'_>, child: &Child) {
    answer.integer("pid", child.pid);
    answer.text("command", &child.label);
    answer.text("state", state(child.exit_code));
    // Microseconds are exact as a float, and what the contract's clock has.
    answer.value("started_at", &((child.started / 1000) as f64 / 1e6).into());
}

/// `state` by an exit code that there is or isn't.
pub(crate) fn state(exit_code: Option<i32>) -> &'static str {
    if exit_code.is_some() { "exited" } else { "running" }
}

pub(crate) fn exit_code(answer: &mut json::Object<'_>, exit_code: Option<i32>) {
    match exit_code {
        Some(code) => answer.integer("exit_code", code),
        None => answer.null("exit_code"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::of;
    use abx_sdk::process::Child;
    use abx_sdk::{InBody, Request};

    pub(crate) fn child(pid: u32, exit_code: Option<i32>) -> Child {
        let label = "echo \"hi\"".to_owned();
        Child { pid, label, started: 1_700_000_000_250_000_000, exit_code, captured: true, stdin: false }
    }

    pub(crate) fn request(pid: &str, query: &[(&str, &str)]) -> Request {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Request { path_params: vec![pid.to_owned()], query, headers: vec![], body: InBody::None }
    }

    #[test]
    fn a_number_that_no_process_has_is_zero() {
        for (text, pid) in [("7", 7), ("+5", 5), ("1_0", 10), ("0", 0), ("-3", 0), ("99999999999999999999", 0)] {
            assert_eq!(of(&request(text, &[])).unwrap(), pid, "{text}");
        }
    }
}
