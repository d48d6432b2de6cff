//! `env_set`: variables for all children to come. Contract: system.

use std::collections::BTreeSet;

use abx_sdk::failures::Failure;
use abx_sdk::{Fault, Member, Problem, Request, Response, json, system};

/// Name and value, as the host judges them: a value that is no text is none.
type Variable = (String, Option<String>);

pub(crate) fn env_set(request: &Request) -> Result<Response, Problem> {
    let [vars] = request.members(["vars"])?;
    let variables = variables(vars)?;
    system::set_variables(&variables).map_err(refused)?;
    Ok(Response::json(answer(&variables)))
}

fn variables(vars: Option<Member<'_>>) -> Result<Vec<Variable>, Problem> {
    let Some(vars) = vars else { return Ok(Vec::new()) };
    let entries = vars.entries().ok_or_else(|| {
        Problem::from(Fault::new(400, "ValueError", "vars must be an object").with_code("env_invalid"))
    })?;
    let variable = |(name, value): (_, Member<'_>)| {
        let name = std::borrow::Cow::into_owned(name);
        (name, value.text().map(std::borrow::Cow::into_owned))
    };
    Ok(entries.into_iter().map(variable).collect())
}

/// What can't be changed is a refusal of its own kind.
fn refused(failure: Failure) -> Problem {
    match failure {
        Failure::Refused(message) => Fault::new(403, "PermissionError", message).with_code("env_var_denied").into(),
        other => other.into(),
    }
}

fn answer(variables: &[Variable]) -> Vec<u8> {
    let names: BTreeSet<_> = variables.iter().map(|(name, _)| name.as_str()).collect();
    json::object(32 + names.len() * 16, |answer| {
        answer.list("updated", |list| {
            for name in names {
                list.text(name);
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, refused, variables};
    use abx_sdk::failures::Failure;
    use abx_sdk::members;

    fn read(body: &str) -> Result<Vec<(String, Option<String>)>, Option<String>> {
        let [vars] = members(body.as_bytes(), ["vars"]).unwrap();
        variables(vars).map_err(|problem| problem.code().map(str::to_owned))
    }

    #[test]
    fn entries_are_taken_in_order_and_judged_by_the_host() {
        let read = read(r#"{"vars":{"B":"1","1A":5,"A":"","N":null,"S":"a\ud800"}}"#).unwrap();
        let expected = [("B", Some("1")), ("1A", None), ("A", Some("")), ("N", None), ("S", None)];
        assert_eq!(read, expected.map(|(name, value)| (name.to_owned(), value.map(str::to_owned))));
    }

    #[test]
    fn none_is_fine_and_what_is_no_object_is_not() {
        for body in ["{}", r#"{"vars":{}}"#, r#"{"other":1}"#] {
            assert_eq!(read(body), Ok(vec![]), "{body}");
        }
        for body in [r#"{"vars":[]}"#, r#"{"vars":"A=1"}"#, r#"{"vars":null}"#, r#"{"vars":5}"#] {
            assert_eq!(read(body), Err(Some("env_invalid".to_owned())), "{body}");
        }
    }

    #[test]
    fn names_are_answered_sorted_and_once() {
        let set = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), None)).collect::<Vec<_>>();
        assert_eq!(answer(&set(&["B", "A", "a", "B"])), br#"{"updated":["A","B","a"]}"#);
        assert_eq!(answer(&[]), br#"{"updated":[]}"#);
    }

    #[test]
    fn what_cannot_be_changed_is_a_permission_error() {
        let problem = refused(Failure::Refused("no".into()));
        let fault = problem.fault().unwrap();
        assert_eq!((fault.status, &*fault.kind, problem.code()), (403, "PermissionError", Some("env_var_denied")));
    }
}
