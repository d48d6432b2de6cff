//! What the browser's failures are in an answer. Contract: browser, page state.

use abx_sdk::browser::BrowserFailure;
use abx_sdk::{Fault, Problem};

/// The answer that a failure means on every endpoint.
pub(crate) fn problem(failure: BrowserFailure) -> Problem {
    let (status, kind, message) = match failure {
        BrowserFailure::Denied(denial) => return denial.into(),
        BrowserFailure::Unavailable(message) => (503, "RuntimeError", message),
        BrowserFailure::TimedOut(message) => (500, "TimeoutError", message),
        BrowserFailure::Closed(message) => (500, "TargetClosedError", message),
        BrowserFailure::NoMatch(message) => (404, "ValueError", message),
        BrowserFailure::Navigation(message) | BrowserFailure::Script(message) | BrowserFailure::Unfit(message) => {
            (500, "Error", message)
        }
        BrowserFailure::TooLarge(limit) => (500, "Error", format!("larger than the limit of {limit} bytes")),
    };
    Fault::new(status, kind, message).into()
}

/// 500 `Error`: a value that the browser's own client does not take.
pub(crate) fn bad_option(message: impl Into<String>) -> Problem {
    Fault::new(500, "Error", message).into()
}

#[cfg(test)]
mod tests {
    use super::problem;
    use abx_sdk::browser::BrowserFailure as Failure;
    use abx_sdk::failures::Denial;

    #[test]
    fn failures_become_the_contracts_answers() {
        let text = || "m".to_owned();
        for (failure, status, kind) in [
            (Failure::Unavailable(text()), 503, "RuntimeError"),
            (Failure::TimedOut(text()), 500, "TimeoutError"),
            (Failure::Closed(text()), 500, "TargetClosedError"),
            (Failure::NoMatch(text()), 404, "ValueError"),
            (Failure::Navigation(text()), 500, "Error"),
            (Failure::Script(text()), 500, "Error"),
            (Failure::Unfit(text()), 500, "Error"),
            (Failure::TooLarge(9), 500, "Error"),
        ] {
            let problem = problem(failure);
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (status, kind, None));
        }
    }

    #[test]
    fn a_denial_is_handed_on() {
        let denial = Denial { code: "url_denied".into(), message: "no".into() };
        assert_eq!(problem(Failure::Denied(denial)).code(), Some("url_denied"));
    }
}
