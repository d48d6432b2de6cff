use abx_sdk::commands::{Argument, CallFailure, Command, Kind, Value};
use abx_sdk::failures::Failure;
use abx_sdk::{InBody, Problem, Request};

use super::{arguments, problem};

fn argument(name: &str, kind: Kind, required: bool, default: Option<&str>) -> Argument {
    let (name, default, description) = (name.to_owned(), default.map(str::to_owned), String::new());
    Argument { name, kind, required, default, description }
}

fn command(arguments: Vec<Argument>) -> Command {
    let (name, description) = ("x".to_owned(), String::new());
    Command { name, arguments, description, hidden: false, lacking: None }
}

/// The values, or status, type and text of the refusal.
fn called(command: &Command, body: &str) -> Result<String, (u16, String, String)> {
    let body = InBody::Json(body.as_bytes().to_vec());
    let request = Request { path_params: vec!["x".to_owned()], query: vec![], headers: vec![], body };
    let values = arguments(command, &request.entries().unwrap());
    let shown = |(name, value): &(String, Value)| format!("{name}={value:?}");
    values.map(|values| values.iter().map(shown).collect::<Vec<_>>().join(" ")).map_err(|problem| {
        let fault = problem.fault().unwrap();
        (fault.status, fault.kind.clone(), fault.message.clone())
    })
}

#[track_caller]
fn is_refused(command: &Command, body: &str, kind: &str, about: &str) {
    let (status, found, message) = called(command, body).unwrap_err();
    assert_eq!((status, &*found), (400, kind), "{body}");
    assert!(message.contains(about), "{body}: {message}");
}

#[test]
fn the_first_failure_in_the_order_of_arguments_wins() {
    let command = command(vec![argument("a", Kind::Integer, true, None), argument("b", Kind::Integer, true, None)]);
    is_refused(&command, r#"{"a":"x"}"#, "TypeError", "\"a\"");
    is_refused(&command, r#"{"b":"x"}"#, "ValueError", "\"a\"");
    is_refused(&command, r#"{"a":1,"b":"x"}"#, "TypeError", "\"b\"");
    is_refused(&command, r#"{"a":1}"#, "ValueError", "\"b\"");
    is_refused(&command, r#"{"a":"x","q":1}"#, "ValueError", "\"q\"");
    assert_eq!(called(&command, r#"{"b":"2","a":1}"#).unwrap(), "a=Value::Integer(\"1\") b=Value::Integer(\"2\")");
}

#[test]
fn a_value_that_is_there_is_converted_even_when_it_is_null() {
    let command = command(vec![argument("a", Kind::Integer, false, Some("5"))]);
    is_refused(&command, r#"{"a":null}"#, "TypeError", "integer");
    assert_eq!(called(&command, "{}").unwrap(), "a=Value::Integer(\"5\")");
}

#[test]
fn defaults_stand_in_for_what_is_not_there() {
    let command = command(vec![
        argument("a", Kind::Integer, false, Some("N/A")),
        argument("b", Kind::Float, false, Some("2")),
        argument("c", Kind::Boolean, false, Some("yes")),
        argument("d", Kind::Texts, false, Some("[\"x\"]")),
        argument("e", Kind::Text, false, None),
    ]);
    assert_eq!(
        called(&command, "{}").unwrap(),
        "a=Value::Text(\"N/A\") b=Value::Float(2.0) c=Value::Boolean(true) d=Value::Texts([\"x\"])"
    );
}

#[test]
fn what_is_required_is_so_also_with_a_default() {
    let command = command(vec![argument("a", Kind::Text, true, Some("z"))]);
    is_refused(&command, "{}", "ValueError", "\"a\"");
}

#[test]
fn a_scope_that_is_lacking_comes_before_arguments() {
    let command = Command { lacking: Some("deploy".to_owned()), ..command(vec![]) };
    let given =
        Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::Json(b"{\"q\":1}".into()) };
    let found = arguments(&command, &given.entries().unwrap()).unwrap_err();
    let fault = found.fault().unwrap();
    assert_eq!((fault.status, &*fault.kind, found.code()), (403, "PolicyDenied", Some("missing_scope")));
    assert_eq!(fault.fields, [("scope".to_owned(), "\"deploy\"".to_owned())]);
}

#[test]
fn failures_of_a_call_become_the_contracts_answers() {
    let raised = |class: &str, text: &str| CallFailure::Raised((class.to_owned(), text.to_owned()));
    let other = |failure| CallFailure::Other(failure);
    for (failure, status, kind, message) in [
        (CallFailure::Missing, 404, "ValueError", None),
        (raised("KeyError", "'a'"), 500, "KeyError", Some("'a'")),
        (raised("_Größe", "x"), 500, "_Größe", Some("x")),
        (raised("StopIteration", ""), 500, "StopIteration", Some("StopIteration")),
        (raised("not a name", "x"), 500, "Exception", Some("x")),
        (raised("", "x"), 500, "Exception", Some("x")),
        (raised(&"A".repeat(65), "x"), 500, "Exception", Some("x")),
        (raised("PolicyDenied", "no"), 500, "PolicyDenied", Some("no")),
        (other(Failure::Malformed("m".to_owned())), 400, "ValueError", Some("m")),
    ] {
        let shown = format!("{failure:?}");
        let problem: Problem = problem(failure);
        let fault = problem.fault().unwrap();
        assert_eq!((fault.status, &*fault.kind, problem.code()), (status, kind, None), "{shown}");
        assert!(message.is_none_or(|message| fault.message == message), "{shown}: {fault:?}");
    }
}
