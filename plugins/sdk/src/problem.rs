//! Error answers: one constructor for each kind that the contract names. Contract: pipeline §7, file_ops §1.1.

use crate::bindings::exports::abx::plugin::handler;
use crate::bulk::Source;
use crate::failures::{Denial, Failure, OsError};
use crate::{Fault, errno, json};

/// An error answer: a fault of the plugin's choice, or a guard's refusal handed on. The host writes the envelope.
///
/// Boxed, so that a `Result` with it stays small.
#[derive(Debug)]
pub struct Problem(Box<handler::Problem>);

impl Fault {
    /// An error answer with a status, the contract's `type` and a message for people.
    pub fn new(status: u16, kind: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind: kind.to_owned(),
            code: None,
            message: message.into(),
            fields: Vec::new(),
            texts: Vec::new(),
            headers: Vec::new(),
        }
    }

    /// Add the machine-readable `code`.
    #[must_use]
    pub fn with_code(mut self, code: &str) -> Self {
        self.code = Some(code.to_owned());
        self
    }

    /// Add a member to the body: a string.
    #[must_use]
    pub fn with_text(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), json::text(value)));
        self
    }

    /// Add a member to the body: an integer.
    #[must_use]
    pub fn with_integer(mut self, name: &str, value: u64) -> Self {
        self.fields.push((name.to_owned(), itoa::Buffer::new().format(value).to_owned()));
        self
    }

    /// Add a member to the body: a string, whose text is the host's.
    #[must_use]
    pub fn with_source(mut self, name: &str, text: Source) -> Self {
        self.texts.push((name.to_owned(), text));
        self
    }

    /// Add a header; its name is lower-case.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

impl Problem {
    /// 400 `ValueError` without a code: an argument is wrong.
    pub fn value_error(message: impl Into<String>) -> Self {
        Fault::new(400, "ValueError", message).into()
    }

    /// 429 `ResourceError`, `concurrency_limited`: there is no room now. Contract: process §4.
    pub fn exhausted(message: impl Into<String>) -> Self {
        let fault = Fault::new(429, "ResourceError", message).with_code("concurrency_limited");
        fault.with_integer("retry_after", 1).with_header("retry-after", "1").into()
    }

    /// 400 `ValueError`, `invalid_path`: a path argument is missing, empty or no text.
    pub fn invalid_path(message: impl Into<String>) -> Self {
        Fault::new(400, "ValueError", message).with_code("invalid_path").into()
    }

    /// 400 `ValueError`, `bad_body`: the body can't be read.
    pub fn bad_body(message: impl Into<String>) -> Self {
        Fault::new(400, "ValueError", message).with_code("bad_body").into()
    }

    /// 404 `FileNotFoundError`.
    pub fn not_found(message: impl Into<String>) -> Self {
        Fault::new(404, "FileNotFoundError", message).into()
    }

    /// 413 `ValueError`, `payload_too_large`, with the limit in bytes.
    pub fn too_large(limit: u64) -> Self {
        Fault::new(413, "ValueError", "larger than the limit")
            .with_code("payload_too_large")
            .with_integer("limit", limit)
            .into()
    }

    /// 503 `RuntimeError`, `plugin_unavailable`: this plugin doesn't serve that.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Fault::new(503, "RuntimeError", message).with_code("plugin_unavailable").into()
    }

    /// What went wrong while a body was being read.
    pub fn from_body(failure: Failure) -> Self {
        match failure {
            Failure::Malformed(message) => Self::bad_body(message),
            other => other.into(),
        }
    }

    /// The same, its message introduced by the name of the argument that it is about.
    #[must_use]
    pub fn about(mut self, argument: &str) -> Self {
        let message = match &mut *self.0 {
            handler::Problem::Denied(denial) => &mut denial.message,
            handler::Problem::Fault(fault) => &mut fault.message,
        };
        *message = [argument, ": ", message].concat();
        self
    }

    /// The fault. None: it is a guard's refusal.
    pub fn fault(&self) -> Option<&Fault> {
        match &*self.0 {
            handler::Problem::Fault(fault) => Some(fault),
            handler::Problem::Denied(_) => None,
        }
    }

    /// The guard's refusal. None: it is a fault.
    pub fn denial(&self) -> Option<&Denial> {
        match &*self.0 {
            handler::Problem::Denied(denial) => Some(denial),
            handler::Problem::Fault(_) => None,
        }
    }

    /// The machine-readable code, if there is one.
    pub fn code(&self) -> Option<&str> {
        match &*self.0 {
            handler::Problem::Denied(denial) => Some(&denial.code),
            handler::Problem::Fault(fault) => fault.code.as_deref(),
        }
    }
}

impl From<Problem> for handler::Problem {
    fn from(problem: Problem) -> Self {
        *problem.0
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self(Box::new(handler::Problem::Fault(fault)))
    }
}

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Self {
        Self(Box::new(handler::Problem::Denied(denial)))
    }
}

impl From<OsError> for Problem {
    /// 500, typed by the errno.
    fn from(error: OsError) -> Self {
        Fault::new(500, errno::class(error.errno), error.message).into()
    }
}

impl From<Failure> for Problem {
    /// What most endpoints answer. `Malformed` gets no code: see [`Problem::from_body`].
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Denied(denial) => denial.into(),
            Failure::Missing(message) => Self::not_found(message),
            Failure::Exists(message) => Fault::new(409, "FileExistsError", message).with_code("file_exists").into(),
            Failure::TooLarge(limit) => Self::too_large(limit),
            Failure::Malformed(message) | Failure::CutOff(message) => Self::value_error(message),
            Failure::Refused(message) => Fault::new(500, "Error", message).into(),
            Failure::Exhausted(message) => Self::exhausted(message),
            Failure::Os(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Problem;
    use crate::Fault;
    use crate::failures::{Denial, Failure, OsError};

    #[test]
    fn failures_become_the_contracts_answers() {
        let text = || "m".to_owned();
        let os = |errno| Failure::Os(OsError { errno, message: text() });
        for (failure, status, kind, code) in [
            (Failure::Missing(text()), 404, "FileNotFoundError", None),
            (Failure::Exists(text()), 409, "FileExistsError", Some("file_exists")),
            (Failure::TooLarge(7), 413, "ValueError", Some("payload_too_large")),
            (Failure::Malformed(text()), 400, "ValueError", None),
            (Failure::CutOff(text()), 400, "ValueError", None),
            (Failure::Refused(text()), 500, "Error", None),
            (Failure::Exhausted(text()), 429, "ResourceError", Some("concurrency_limited")),
            (os(13), 500, "PermissionError", None),
            (os(28), 500, "OSError", None),
        ] {
            let shown = format!("{failure:?}");
            let problem = Problem::from(failure);
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (status, kind, code), "{shown}");
        }
    }

    #[test]
    fn a_body_that_cannot_be_read_has_a_code() {
        assert_eq!(Problem::from_body(Failure::Malformed("m".into())).code(), Some("bad_body"));
        assert_eq!(Problem::from_body(Failure::CutOff("m".into())).code(), None);
    }

    #[test]
    fn the_limit_stands_in_the_body() {
        assert_eq!(Problem::too_large(10).fault().unwrap().fields, [("limit".to_owned(), "10".to_owned())]);
    }

    #[test]
    fn a_denial_is_handed_on() {
        let denial = Denial { code: "read_only".into(), message: "no".into() };
        let problem = Problem::from(Failure::Denied(denial)).about("source");
        let denial = problem.denial().unwrap();
        assert_eq!((&*denial.code, &*denial.message), ("read_only", "source: no"));
        assert_eq!((problem.code(), problem.fault().is_none()), (Some("read_only"), true));
    }

    #[test]
    fn fields_are_json() {
        let fault = Fault::new(418, "Teapot", "m").with_text("note", "a\"b").with_header("x-y", "z");
        assert_eq!(fault.fields, [("note".to_owned(), r#""a\"b""#.to_owned())]);
        assert_eq!(fault.headers, [("x-y".to_owned(), "z".to_owned())]);
    }
}
