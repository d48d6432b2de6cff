//! `process_start`: run in the background. Contract: process §4.

use abx_sdk::process::{self, StartOptions};
use abx_sdk::{Member, Problem, Request, Response, json, rule};

use crate::{command, failure};

/// Processes at once, where the rule doesn't say fewer.
const MOST: u32 = 100;
/// Bytes of output that are kept, where the rule doesn't say how many.
const KEPT: u64 = 1 << 20;

pub(crate) fn start(request: &Request) -> Result<Response, Problem> {
    let [line, cwd, twin, env] = request.members(command::MEMBERS)?;
    let [capture, stdin] = request.members(["capture_output", "stdin"])?;
    let line = command::line(line)?;
    // Taken before anything else is looked at, and given back if that fails.
    let place = process::reserve(most(rule::limit("max_processes")))?;
    let command = command::read(&line, cwd, twin, env)?;
    let options = StartOptions {
        label: line.clone(),
        capture: is_asked(capture).then(|| rule::limit("max_output_bytes").unwrap_or(KEPT)),
        stdin: is_asked(stdin),
    };
    let pid = process::start(place, &command, &options).map_err(failure::of_command)?;
    Ok(Response::json(answer(pid, &line)))
}

fn most(limit: Option<u64>) -> u32 {
    limit.and_then(|limit| u32::try_from(limit).ok()).unwrap_or(MOST).min(MOST)
}

fn is_asked(member: Option<Member<'_>>) -> bool {
    member.is_some_and(Member::is_truthy)
}

fn answer(pid: u32, line: &str) -> Vec<u8> {
    json::object(32 + line.len(), |answer| {
        answer.integer("pid", pid);
        answer.text("command", line);
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, is_asked, most};
    use abx_sdk::members;

    #[test]
    fn the_rule_can_only_lower_the_number_of_processes() {
        for (limit, expected) in
            [(None, 100), (Some(2), 2), (Some(0), 0), (Some(100), 100), (Some(500), 100), (Some(u64::MAX), 100)]
        {
            assert_eq!(most(limit), expected, "{limit:?}");
        }
    }

    #[test]
    fn options_are_asked_for_by_truth() {
        let [yes, no, none] = members(br#"{"yes":"no","no":[]}"#, ["yes", "no", "none"]).unwrap();
        assert!(is_asked(yes) && !is_asked(no) && !is_asked(none));
    }

    #[test]
    fn the_command_is_answered_as_it_was_asked() {
        assert_eq!(answer(7, "sh -c 'a  b'"), br#"{"pid":7,"command":"sh -c 'a  b'"}"#);
    }
}
