use super::{Verdict, verdict};
use crate::download::validators::Validators;
use abx_sdk::{InBody, Request};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_oneof, proptest};
use proptest::strategy::Strategy;

fn request(headers: &[(&str, &str)]) -> Request {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Request { path_params: vec![], query: vec![], headers, body: InBody::None }
}

fn validators() -> Validators {
    Validators { etag: "\"tag\"".to_owned(), modified: 784_111_777, now: 800_000_000 }
}

#[test]
fn a_plain_request_gets_the_whole_file() {
    assert_eq!(verdict(&request(&[]), &validators(), 10).unwrap(), Verdict::Whole);
}

#[test]
fn a_range_gets_its_part() {
    let part = Verdict::Part { first: 2, last: 4 };
    assert_eq!(verdict(&request(&[("range", "bytes=2-4")]), &validators(), 10).unwrap(), part);
}

#[test]
fn a_range_that_is_stale_gets_the_whole_file() {
    let request = request(&[("range", "bytes=99-"), ("if-range", "\"old\"")]);
    assert_eq!(verdict(&request, &validators(), 10).unwrap(), Verdict::Whole);
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

/// Headers as clients and their opposite send them.
fn header_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[bB]ytes=[-0-9, ]{0,24}",
        "(W/)?\"?[a-z,\" ]{0,12}\"?",
        "[SMTWF][a-z]{2,8}, [0-9]{1,2}[- ][A-Z][a-z]{2}[- ][0-9]{2,5} [0-9:]{0,9}( GMT)?",
        ".{0,40}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_headers_get_a_verdict_inside_the_file(
        headers in proptest::collection::vec((0..6_usize, header_text()), 0..4),
        size in prop_oneof![0..20_u64, any::<u64>()],
    ) {
        let names = ["range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];
        let headers: Vec<_> = headers.iter().map(|(name, value)| (names[*name], value.as_str())).collect();
        match verdict(&request(&headers), &validators(), size) {
            Ok(Verdict::Part { first, last }) => prop_assert!(first <= last && last < size),
            Ok(Verdict::Whole | Verdict::NotModified) => {}
            Err(problem) => prop_assert!([412, 416].contains(&problem.fault().unwrap().status)),
        }
    }
}
