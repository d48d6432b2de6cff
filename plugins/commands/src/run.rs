//! `run_command`: call a command with arguments of its kinds. Contract: commands §3.

use abx_sdk::commands::{self, Argument, CallFailure, Command, Kind, Returned, Value};
use abx_sdk::{Fault, Member, Problem, Request, Response, json};

use crate::{convert, list};

/// What stands for a class whose name can't be a `type`.
const NAMELESS: &str = "Exception";

/// The longest `type`, in bytes.
const LONGEST_TYPE: usize = 64;

type Entries<'a> = Vec<(std::borrow::Cow<'a, str>, Member<'a>)>;

pub(crate) fn run(request: &Request) -> Result<Response, Problem> {
    let name = request.path_param(0).unwrap_or_default();
    let given = request.entries()?;
    let command = commands::find(name).ok_or_else(missing)?;
    let arguments = arguments(&command, &given)?;
    let returned = commands::call(name, &arguments).map_err(problem)?;
    let mut answer = json::Bulky::new(16);
    match returned {
        Returned::Json(value) => answer.raw("result", value),
        Returned::Text(text) => answer.json_text("result", text),
    }
    Ok(Response::segments(answer.finish()))
}

/// What the command is called with; the first thing that is wrong, in the contract's order.
fn arguments(command: &Command, given: &Entries<'_>) -> Result<Vec<(String, Value)>, Problem> {
    if let Some(scope) = &command.lacking {
        return Err(lacking(scope));
    }
    let is_declared = |name: &str| command.arguments.iter().any(|argument| argument.name == name);
    if let Some((name, _)) = given.iter().find(|(name, _)| !is_declared(name)) {
        return Err(Problem::value_error(["the command has no argument ", &json::text(name)].concat()));
    }
    let mut arguments = Vec::with_capacity(command.arguments.len());
    for argument in &command.arguments {
        let found = given.iter().find(|(name, _)| *name == *argument.name).map(|(_, member)| *member);
        if let Some(value) = value(argument, found)? {
            arguments.push((argument.name.clone(), value));
        }
    }
    Ok(arguments)
}

/// The value of one argument. None: it is not passed at all.
fn value(argument: &Argument, given: Option<Member<'_>>) -> Result<Option<Value>, Problem> {
    let Argument { name, kind, required, default, .. } = argument;
    if let Some(member) = given {
        return match convert::member(*kind, member) {
            Some(value) => Ok(Some(value)),
            None => Err(wrong_kind(name, *kind)),
        };
    }
    if *required {
        return Err(Problem::value_error(["the argument ", &json::text(name), " is required"].concat()));
    }
    let value = default.as_ref().map(|text| convert::default(*kind, text).unwrap_or_else(|| Value::Text(text.clone())));
    Ok(value)
}

fn wrong_kind(name: &str, kind: Kind) -> Problem {
    let message = ["the argument ", &json::text(name), " is no ", list::name(kind)].concat();
    Fault::new(400, "TypeError", message).into()
}

/// Names of commands are not told: some are hidden.
fn missing() -> Problem {
    Fault::new(404, "ValueError", "there is no such command").into()
}

fn lacking(scope: &str) -> Problem {
    let message = ["the command needs the scope ", scope].concat();
    Fault::new(403, "PolicyDenied", message).with_code("missing_scope").with_text("scope", scope).into()
}

fn problem(failure: CallFailure) -> Problem {
    match failure {
        CallFailure::Missing => missing(),
        CallFailure::Lacking(scope) => lacking(&scope),
        CallFailure::Raised((class, text)) => {
            let text = if text.is_empty() { class.clone() } else { text };
            Fault::new(500, if is_type(&class) { &class } else { NAMELESS }, text).into()
        }
        CallFailure::Other(failure) => failure.into(),
    }
}

/// Whether the host takes the name of a class as a `type`.
fn is_type(class: &str) -> bool {
    let within = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    class.len() <= LONGEST_TYPE
        && class.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && class.chars().all(within)
}

#[cfg(test)]
mod tests;
