use super::{Outcome, evaluate};
use crate::download::validators::Validators;
use abx_sdk::{InBody, Request};

const BEFORE: &str = "Sun, 06 Nov 1994 08:49:36 GMT";
const SAME: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
const AFTER: &str = "Sun, 06 Nov 1994 08:49:38 GMT";
const FULL: Outcome<'_> = Outcome::Whole;

fn request(headers: &[(&str, &str)]) -> Request {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Request { path_params: vec![], query: vec![], headers, body: InBody::None }
}

fn validators() -> Validators {
    Validators { etag: "\"tag\"".to_owned(), modified: 784_111_777, now: 800_000_000 }
}

fn check(rows: &[(&[(&str, &str)], Outcome<'_>)]) {
    for (headers, outcome) in rows {
        assert_eq!(evaluate(&request(headers), &validators()), *outcome, "{headers:?}");
    }
}

#[test]
fn if_match_compares_strongly() {
    check(&[
        (&[("if-match", "\"tag\"")], FULL),
        (&[("if-match", "\"x\", \"tag\"")], FULL),
        (&[("if-match", "\"x\",,\t\"tag\" , \"y\"")], FULL),
        (&[("if-match", "\"x\""), ("if-match", "\"tag\"")], FULL),
        (&[("if-match", "*")], FULL),
        (&[("if-match", " * ")], FULL),
        (&[("if-match", "\"x\"")], Outcome::Failed),
        (&[("if-match", "W/\"tag\"")], Outcome::Failed),
        (&[("if-match", "tag")], Outcome::Failed),
        (&[("if-match", "\"tag")], Outcome::Failed),
        (&[("if-match", "\"x\" \"tag\"")], Outcome::Failed),
        (&[("if-match", "\"x, \"tag\"")], Outcome::Failed),
        (&[("if-match", "")], Outcome::Failed),
    ]);
}

#[test]
fn if_unmodified_since_counts_without_if_match() {
    check(&[
        (&[("if-unmodified-since", BEFORE)], Outcome::Failed),
        (&[("if-unmodified-since", SAME)], FULL),
        (&[("if-unmodified-since", AFTER)], FULL),
        (&[("if-unmodified-since", "nonsense")], FULL),
        (&[("if-unmodified-since", BEFORE), ("if-unmodified-since", BEFORE)], FULL),
        (&[("if-unmodified-since", BEFORE), ("if-match", "\"tag\"")], FULL),
    ]);
}

#[test]
fn if_none_match_compares_weakly() {
    check(&[
        (&[("if-none-match", "\"tag\"")], Outcome::NotModified),
        (&[("if-none-match", "W/\"tag\"")], Outcome::NotModified),
        (&[("if-none-match", "\"x\", W/\"tag\"")], Outcome::NotModified),
        (&[("if-none-match", "\"a,b\", \"tag\"")], Outcome::NotModified),
        (&[("if-none-match", "*")], Outcome::NotModified),
        (&[("if-none-match", "\"x\""), ("if-none-match", "\"tag\"")], Outcome::NotModified),
        (&[("if-none-match", "\"x\"")], FULL),
        (&[("if-none-match", "w/\"tag\"")], FULL),
        (&[("if-none-match", "tag")], FULL),
    ]);
}

#[test]
fn if_modified_since_counts_without_if_none_match() {
    check(&[
        (&[("if-modified-since", BEFORE)], FULL),
        (&[("if-modified-since", SAME)], Outcome::NotModified),
        (&[("if-modified-since", AFTER)], Outcome::NotModified),
        (&[("if-modified-since", "Sunday, 06-Nov-94 08:49:37 GMT")], Outcome::NotModified),
        (&[("if-modified-since", "nonsense")], FULL),
        (&[("if-modified-since", AFTER), ("if-none-match", "\"x\"")], FULL),
    ]);
}

#[test]
fn conditions_are_judged_in_order() {
    check(&[
        (&[("if-none-match", "\"tag\""), ("if-match", "\"x\"")], Outcome::Failed),
        (&[("if-none-match", "\"tag\""), ("if-match", "\"tag\"")], Outcome::NotModified),
        (&[("if-modified-since", AFTER), ("if-unmodified-since", BEFORE)], Outcome::Failed),
        (&[("range", "bytes=0-1"), ("if-none-match", "*")], Outcome::NotModified),
        (&[("range", "bytes=0-1"), ("if-range", "\"x\""), ("if-match", "\"x\"")], Outcome::Failed),
    ]);
}

#[test]
fn if_range_guards_the_range() {
    const RANGE: (&str, &str) = ("range", "bytes=0-1");
    const PART: Outcome<'_> = Outcome::Range("bytes=0-1");
    check(&[
        (&[RANGE], PART),
        (&[RANGE, ("range", "bytes=0-1")], FULL),
        (&[RANGE, ("if-range", "\"tag\"")], PART),
        (&[RANGE, ("if-range", "\"x\"")], FULL),
        (&[RANGE, ("if-range", "W/\"tag\"")], FULL),
        (&[RANGE, ("if-range", SAME)], PART),
        (&[RANGE, ("if-range", BEFORE)], FULL),
        (&[RANGE, ("if-range", AFTER)], FULL),
        (&[RANGE, ("if-range", "nonsense")], FULL),
        (&[RANGE, ("if-range", "\"tag\""), ("if-range", "\"tag\"")], FULL),
        (&[("if-range", "\"x\"")], FULL),
    ]);
}

#[test]
fn a_date_of_the_current_second_proves_nothing() {
    let request = request(&[("range", "bytes=0-1"), ("if-range", SAME)]);
    let at = |now| Validators { now, ..validators() };
    assert_eq!(evaluate(&request, &at(784_111_777)), FULL);
    assert_eq!(evaluate(&request, &at(784_111_778)), Outcome::Range("bytes=0-1"));
}
