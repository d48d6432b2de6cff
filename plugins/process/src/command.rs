//! What to run, out of a body. Contract: process §1.1 to §1.3, steps 1 and 2.

use abx_sdk::path;
use abx_sdk::process::Command;
use abx_sdk::{Fault, Kind, Member, Problem, words};

/// The members that [`read`] takes, in its order.
pub(crate) const MEMBERS: [&str; 4] = ["command", "cwd", "cwd_b64", "env"];

/// The command line, which must be there.
pub(crate) fn line(member: Option<Member<'_>>) -> Result<String, Problem> {
    let text = member.and_then(Member::text).ok_or_else(|| Problem::value_error("command must be text"))?;
    if text.is_empty() { Err(empty()) } else { Ok(text.into_owned()) }
}

/// What the command line and the other members say is to run. Judged by nobody yet.
pub(crate) fn read(
    line: &str,
    cwd: Option<Member<'_>>,
    twin: Option<Member<'_>>,
    env: Option<Member<'_>>,
) -> Result<Command, Problem> {
    let words = words::split(line)?;
    if words.is_empty() {
        return Err(empty());
    }
    Ok(Command { words, directory: directory(cwd, twin)?, variables: variables(env)? })
}

fn directory(cwd: Option<Member<'_>>, twin: Option<Member<'_>>) -> Result<Option<Vec<u8>>, Problem> {
    if cwd.is_some_and(|cwd| !matches!(cwd.kind(), Kind::Null | Kind::Text)) {
        return Err(Problem::value_error("cwd must be text"));
    }
    Ok(path::from_members("cwd", cwd, twin)?.map(path::Path::into_owned))
}

/// In the caller's order: the first one that is wrong answers.
fn variables(env: Option<Member<'_>>) -> Result<Vec<(String, String)>, Problem> {
    let Some(env) = env.filter(|env| !env.is_null()) else { return Ok(Vec::new()) };
    let entries = env.entries().ok_or_else(|| malformed("env must be an object"))?;
    let pairs = entries.into_iter().map(|(name, value)| Some((name.into_owned(), value.text()?.into_owned())));
    pairs.collect::<Option<_>>().ok_or_else(|| malformed("the values of env must be text"))
}

fn empty() -> Problem {
    Fault::new(400, "ValueError", "the command is empty").with_code("process_invalid").into()
}

fn malformed(message: &str) -> Problem {
    Fault::new(400, "ValueError", message).with_code("env_invalid").into()
}

#[cfg(test)]
mod tests {
    use super::{MEMBERS, line, read};
    use abx_sdk::process::Command;
    use abx_sdk::{Problem, members};

    /// A body's command, or the code of its refusal, which is a 400.
    fn command(body: &str) -> Result<Command, Option<String>> {
        let read = || {
            let [command, cwd, twin, env] = members(body.as_bytes(), MEMBERS)?;
            read(&line(command)?, cwd, twin, env)
        };
        read().map_err(|problem: Problem| {
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind), (400, "ValueError"), "{body}");
            fault.code.clone()
        })
    }

    #[test]
    fn a_command_is_words_a_directory_and_variables() {
        let full = command(r#"{"command":"a 'b c'","cwd":"/d","env":{"Z":"1","A":"","Z":"2"},"argv":["x"]}"#).unwrap();
        assert_eq!(full.words, ["a", "b c"]);
        assert_eq!(full.directory.unwrap(), b"/d");
        assert_eq!(full.variables, [("Z".to_owned(), "2".to_owned()), ("A".to_owned(), String::new())]);
    }

    #[test]
    fn what_is_null_or_empty_is_not_given() {
        for body in [
            r#"{"command":"a"}"#,
            r#"{"command":"a","cwd":null,"env":null}"#,
            r#"{"command":"a","cwd":"","env":{}}"#,
            r#"{"command":"a","cwd":"","cwd_b64":"","env":{}}"#,
        ] {
            let command = command(body).unwrap();
            assert!(command.directory.is_none() && command.variables.is_empty(), "{body}");
        }
        let odd = command(r#"{"command":"a","cwd_b64":"L2H/"}"#).unwrap();
        assert_eq!(odd.directory.unwrap(), b"/a\xff");
    }

    #[test]
    fn each_mistake_has_its_code() {
        for (body, code) in [
            ("{}", None),
            (r#"{"command":null}"#, None),
            (r#"{"command":["a"]}"#, None),
            (r#"{"command":"a\ud800"}"#, None),
            (r#"{"command":""}"#, Some("process_invalid")),
            (r#"{"command":" \t\r\n"}"#, Some("process_invalid")),
            (r#"{"command":"a 'b"}"#, None),
            (r#"{"command":"a\\"}"#, None),
            (r#"{"command":"a","cwd":5}"#, None),
            (r#"{"command":"a","cwd":["/d"]}"#, None),
            (r#"{"command":"a","cwd":"/d","cwd_b64":"L2E="}"#, None),
            (r#"{"command":"a","cwd_b64":"!"}"#, None),
            (r#"{"command":"a","env":[]}"#, Some("env_invalid")),
            (r#"{"command":"a","env":"A=1"}"#, Some("env_invalid")),
            (r#"{"command":"a","env":{"A":1}}"#, Some("env_invalid")),
            (r#"{"command":"a","env":{"A":null}}"#, Some("env_invalid")),
        ] {
            assert_eq!(command(body).err().unwrap().as_deref(), code, "{body}");
        }
    }

    #[test]
    fn checks_come_in_the_contracts_order() {
        for (body, code) in [
            (r#"{"command":"","cwd":5,"env":5}"#, Some("process_invalid")),
            (r#"{"command":" ","cwd":5,"env":5}"#, Some("process_invalid")),
            (r#"{"command":"'","cwd":5,"env":5}"#, None),
            (r#"{"command":"a","cwd":5,"env":5}"#, None),
            (r#"{"command":"a","cwd":"/d","env":5}"#, Some("env_invalid")),
        ] {
            assert_eq!(command(body).err().unwrap().as_deref(), code, "{body}");
        }
    }
}
