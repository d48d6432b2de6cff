//! What git or the host refuses, as the contract words it. Contract: dev_tools.

use abx_sdk::git::GitFailure;
use abx_sdk::{Fault, Problem};

pub(crate) fn problem(failure: GitFailure) -> Problem {
    match failure {
        GitFailure::Said(message) => Fault::new(400, "GitError", message).into(),
        GitFailure::TimedOut => Fault::new(408, "TimeoutError", "git took too long").into(),
        GitFailure::Other(other) => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::problem;
    use abx_sdk::failures::{Denial, Failure, OsError};
    use abx_sdk::git::GitFailure;

    #[test]
    fn failures_become_the_contracts_answers() {
        let os = |errno| GitFailure::Other(Failure::Os(OsError { errno, message: "m".into() }));
        for (failure, status, kind) in [
            (GitFailure::Said("fatal: no".into()), 400, "GitError"),
            (GitFailure::TimedOut, 408, "TimeoutError"),
            (os(2), 500, "FileNotFoundError"),
            (os(13), 500, "PermissionError"),
            (GitFailure::Other(Failure::Malformed("m".into())), 400, "ValueError"),
        ] {
            let problem = problem(failure);
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (status, kind, None));
        }
        let denial = Denial { code: "path_denied".into(), message: "m".into() };
        assert_eq!(problem(GitFailure::Other(Failure::Denied(denial))).code(), Some("path_denied"));
    }
}
