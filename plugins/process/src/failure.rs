//! What the host refuses or fails at, as the contract words it. Contract: process §1.3, §1.5.

use abx_sdk::Problem;
use abx_sdk::failures::Failure;

/// A command that did not run.
pub(crate) fn of_command(failure: Failure) -> Problem {
    match failure {
        Failure::Missing(_) => Problem::value_error("cwd is not an existing directory"),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_command;
    use abx_sdk::failures::{Denial, Failure, OsError};

    #[test]
    fn failures_become_the_contracts_answers() {
        let text = || "m".to_owned();
        let os = |errno| Failure::Os(OsError { errno, message: text() });
        for (failure, status, kind, code) in [
            (Failure::Missing(text()), 400, "ValueError", None),
            (Failure::Exhausted(text()), 429, "ResourceError", Some("concurrency_limited")),
            (os(2), 500, "FileNotFoundError", None),
            (os(13), 500, "PermissionError", None),
            (os(8), 500, "OSError", None),
            (os(7), 500, "OSError", None),
        ] {
            let shown = format!("{failure:?}");
            let problem = of_command(failure);
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (status, kind, code), "{shown}");
        }
        let denial = Denial { code: "command_not_allowed".into(), message: text() };
        assert!(of_command(Failure::Denied(denial)).denial().is_some());
    }
}
