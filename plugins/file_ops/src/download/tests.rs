use super::{Selection, Verdict, verdict};
use crate::download::validators::Validators;
use abx_sdk::{InBody, Request};

fn request(headers: &[(&str, &str)]) -> Request {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Request { path_params: vec![], query: vec![], headers, body: InBody::None }
}

fn validators() -> Validators {
    Validators { etag: "\"tag\"".to_owned(), modified: 784_111_777, now: 800_000_000 }
}

#[test]
fn a_plain_request_gets_the_whole_file() {
    assert_eq!(verdict(&request(&[]), &validators(), 10).unwrap(), Verdict::Send(Selection::Whole));
}

#[test]
fn a_range_gets_its_part() {
    let part = Verdict::Send(Selection::Part { first: 2, last: 4 });
    assert_eq!(verdict(&request(&[("range", "bytes=2-4")]), &validators(), 10).unwrap(), part);
}

#[test]
fn a_range_that_is_stale_gets_the_whole_file() {
    let request = request(&[("range", "bytes=99-"), ("if-range", "\"old\"")]);
    assert_eq!(verdict(&request, &validators(), 10).unwrap(), Verdict::Send(Selection::Whole));
}

#[test]
fn a_tag_that_the_client_has_is_not_sent_again() {
    assert_eq!(verdict(&request(&[("if-none-match", "\"tag\"")]), &validators(), 10).unwrap(), Verdict::NotModified);
}

#[test]
fn a_range_beyond_the_end_is_416_and_names_the_size() {
    let problem = verdict(&request(&[("range", "bytes=10-")]), &validators(), 10).unwrap_err();
    let fault = problem.fault().unwrap();
    assert_eq!((fault.status, &*fault.kind, problem.code()), (416, "ValueError", Some("range_not_satisfiable")));
    assert_eq!(fault.headers, [("content-range".to_owned(), "bytes */10".to_owned())]);
}

#[test]
fn a_failed_precondition_is_412_without_headers() {
    let problem = verdict(&request(&[("if-match", "\"x\""), ("range", "bytes=10-")]), &validators(), 10).unwrap_err();
    let fault = problem.fault().unwrap();
    assert_eq!((fault.status, &*fault.kind, problem.code()), (412, "ValueError", Some("precondition_failed")));
    assert!(fault.headers.is_empty());
}
