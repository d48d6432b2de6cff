//! `shell`: run to completion. Contract: process §2.

use abx_sdk::json::Bulky;
use abx_sdk::{Fault, Problem, Request, Response, json, process};

use crate::{command, failure, timeout};

pub(crate) fn shell(request: &Request) -> Result<Response, Problem> {
    let [line, cwd, twin, env] = request.members(command::MEMBERS)?;
    let [time] = request.members(["timeout"])?;
    let command = command::read(&command::line(line)?, cwd, twin, env)?;
    let finished = process::run(&command, timeout::options(time)).map_err(failure::of_command)?;
    if finished.timed_out {
        return Err(Fault::new(500, "TimeoutError", "the command took longer than it may").into());
    }
    let mut answer = Bulky::new(64);
    answer.json_text("stdout", finished.stdout);
    answer.json_text("stderr", finished.stderr);
    answer.members(|answer| end(answer, finished.exit_code, finished.truncated));
    Ok(Response::segments(answer.finish()))
}

fn end(answer: &mut json::Object<'_>, exit_code: i32, truncated: bool) {
    answer.integer("exit_code", exit_code);
    if truncated {
        answer.flag("truncated", true);
    }
}

#[cfg(test)]
mod tests {
    use super::end;
    use abx_sdk::json;

    #[test]
    fn only_what_was_cut_is_called_truncated() {
        assert_eq!(json::object(0, |answer| end(answer, -9, false)), br#"{"exit_code":-9}"#);
        assert_eq!(json::object(0, |answer| end(answer, 3, true)), br#"{"exit_code":3,"truncated":true}"#);
    }
}
