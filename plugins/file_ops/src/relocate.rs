//! `files_move`: rename, or move into a directory. Contract: file_ops §6.

use abx_sdk::failures::Failure;
use abx_sdk::files::{self, MoveFailure, Moved, Side};
use abx_sdk::path::{self, Path};
use abx_sdk::{Fault, Problem, Request, Response, json};

pub(crate) fn relocate(request: &Request) -> Result<Response, Problem> {
    let (source, destination) = arguments(request)?;
    let moved = files::rename(&source, &destination).map_err(problem)?;
    Ok(Response::json(answer(&moved)))
}

fn arguments(request: &Request) -> Result<(Path<'_>, Path<'_>), Problem> {
    let [source, source_twin, destination, destination_twin] =
        request.members(["source", "source_b64", "destination", "destination_b64"])?;
    let source = path::required("source", path::from_members("source", source, source_twin)?)?;
    let destination = path::from_members("destination", destination, destination_twin)?;
    Ok((source, path::required("destination", destination)?))
}

/// The message says which path it is about. What is in the way is an error of the operating system here.
fn problem(failure: MoveFailure) -> Problem {
    let problem = match failure.cause {
        Failure::Exists(message) => Fault::new(500, "FileExistsError", message).into(),
        other => Problem::from(other),
    };
    match failure.side {
        Side::Source => problem.about("source"),
        Side::Destination => problem.about("destination"),
        Side::Both => problem,
    }
}

fn answer(moved: &Moved) -> Vec<u8> {
    json::object(48 + moved.source.len() + moved.destination.len(), |answer| {
        answer.bytes("source", &moved.source);
        answer.bytes("destination", &moved.destination);
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, arguments, problem};
    use abx_sdk::failures::{Denial, Failure};
    use abx_sdk::files::{MoveFailure, Moved, Side};
    use abx_sdk::{InBody, Request};

    fn request(body: &str) -> Request {
        Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::Json(body.into()) }
    }

    #[test]
    fn both_paths_are_taken() {
        let request = request(r#"{"source":"/a","destination_b64":"L2L/"}"#);
        let (source, destination) = arguments(&request).unwrap();
        assert_eq!((&*source, &*destination), (&b"/a"[..], &b"/b\xff"[..]));
    }

    #[test]
    fn the_source_is_looked_at_first() {
        for (body, named) in [
            ("{}", "source"),
            (r#"{"destination":"/b"}"#, "source"),
            (r#"{"source":1,"destination":2}"#, "source"),
            (r#"{"source":"/a"}"#, "destination"),
            (r#"{"source":"/a","destination":null}"#, "destination"),
            (r#"{"source":"/a","destination":""}"#, "destination"),
        ] {
            let problem = arguments(&request(body)).unwrap_err();
            assert_eq!(problem.code(), Some("invalid_path"), "{body}");
            assert!(problem.fault().unwrap().message.starts_with(named), "{body}");
        }
    }

    #[test]
    fn a_refusal_says_which_path_it_is_about() {
        let denied = || Failure::Denied(Denial { code: "read_only".into(), message: "no".into() });
        for (side, message) in
            [(Side::Source, "source: no"), (Side::Destination, "destination: no"), (Side::Both, "no")]
        {
            let problem = problem(MoveFailure { side, cause: denied() });
            assert_eq!(problem.denial().unwrap().message, message);
            assert_eq!(problem.code(), Some("read_only"));
        }
    }

    #[test]
    fn what_is_in_the_way_is_a_plain_500() {
        for (cause, kind) in [(Failure::Exists("m".into()), "FileExistsError"), (Failure::Refused("m".into()), "Error")]
        {
            let problem = problem(MoveFailure { side: Side::Both, cause });
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (500, kind, None));
        }
    }

    #[test]
    fn the_answer_names_both_paths() {
        let moved = Moved { source: b"/a".to_vec(), destination: b"/b\xff".to_vec() };
        let expected = "{\"source\":\"/a\",\"destination\":\"/b\u{fffd}\",\"destination_b64\":\"L2L/\"}";
        assert_eq!(answer(&moved), expected.as_bytes());
    }
}
