//! What the native handlers share with the host's side of a component's imports: the argument, the guard in front of
//! every operation, a thread that may block, and the wording of what goes wrong.

use std::sync::Arc;

use abxd::pipeline::Permit;
use abxd_capabilities::files::FileFailure;
use abxd_guards::path::{Access, CheckedPath, PathDenial, PathGuard};
use abxd_plugins::{Answer, AnswerBody, Denial, Fault, Problem, Request, Trail};

/// What judges the path of one request.
#[derive(Clone)]
pub(crate) struct Judge {
    guard: Arc<PathGuard>,
    trail: Trail,
    raw: Vec<u8>,
}

impl Judge {
    /// The query's `path`.
    pub(crate) fn of(permit: &Permit, request: &Request) -> Result<Self, Problem> {
        let (guard, trail) = (permit.served().guard().clone(), permit.trail().clone());
        let path = request.query.iter().find_map(|(name, value)| (name == "path").then_some(value.as_bytes()));
        match path {
            Some(path) if !path.is_empty() => Ok(Self { guard, trail, raw: path.to_vec() }),
            _ => Err(fault(400, "ValueError", Some("invalid_path"), "path is required")),
        }
    }

    /// Judge it. Blocks.
    pub(crate) fn check(&self, access: Access) -> Result<CheckedPath, Problem> {
        let checked = self.guard.check(&self.raw, access).map_err(denied)?;
        self.trail.note(checked.real());
        Ok(checked)
    }
}

/// Run on a thread that may block.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|cause| Err(fault(500, "RuntimeError", None, &cause.to_string())))
}

/// 200 with JSON text.
pub(crate) fn json(text: Vec<u8>) -> Answer {
    Answer { status: 200, headers: Vec::new(), body: AnswerBody::Bytes(text) }
}

/// An error that an operation met.
pub(crate) fn failed(failure: FileFailure) -> Problem {
    match failure {
        FileFailure::Denied(denial) => denied(denial),
        FileFailure::Missing | FileFailure::NotADirectory | FileFailure::NotAFile => {
            fault(404, "FileNotFoundError", None, "there is no such file or directory")
        }
        other => fault(500, "OSError", None, &other.to_string()),
    }
}

pub(crate) fn fault(status: u16, kind: &str, code: Option<&str>, message: &str) -> Problem {
    Problem::Fault(Box::new(Fault {
        status,
        kind: kind.to_owned(),
        code: code.map(str::to_owned),
        message: message.to_owned(),
        fields: Vec::new(),
        texts: Vec::new(),
        headers: Vec::new(),
    }))
}

fn denied(denial: PathDenial) -> Problem {
    Problem::Denied(Denial { code: denial.code().to_owned(), message: denial.to_string() })
}
