//! `files_mkdir`: make a directory and its parents. Contract: file_ops §4.

use abx_sdk::failures::Failure;
use abx_sdk::{Fault, Problem, Request, Response, files, json, path};

pub(crate) fn mkdir(request: &Request) -> Result<Response, Problem> {
    let [text, twin] = request.members(["path", "path_b64"])?;
    let path = path::required("path", path::from_members("path", text, twin)?)?;
    let made = files::make_directory(&path).map_err(problem)?;
    Ok(Response::json(answer(&made)))
}

/// A file in the way is an error of the operating system here, not a conflict.
fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Exists(message) => Fault::new(500, "FileExistsError", message).into(),
        other => other.into(),
    }
}

fn answer(path: &[u8]) -> Vec<u8> {
    json::object(40 + path.len(), |answer| {
        answer.bytes("path", path);
        answer.flag("created", true);
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, problem};
    use abx_sdk::failures::Failure;

    #[test]
    fn a_file_in_the_way_is_a_plain_500() {
        let problem = problem(Failure::Exists("m".into()));
        let fault = problem.fault().unwrap();
        assert_eq!((fault.status, &*fault.kind, problem.code()), (500, "FileExistsError", None));
    }

    #[test]
    fn the_answer_names_the_real_path() {
        assert_eq!(answer(b"/d/x"), br#"{"path":"/d/x","created":true}"#);
    }
}
