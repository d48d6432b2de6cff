//! `process_detail`: one process. Contract: process §5.

use abx_sdk::process::{self, Child};
use abx_sdk::{Problem, Request, Response, json};

use crate::pid;

pub(crate) fn detail(request: &Request) -> Result<Response, Problem> {
    let pid = pid::of(request)?;
    let child = process::find(pid).ok_or_else(pid::unknown)?;
    Ok(Response::json(answer(&child)))
}

fn answer(child: &Child) -> Vec<u8> {
    json::object(128 + child.label.len(), |answer| {
        pid::describe(answer, child);
        pid::exit_code(answer, child.exit_code);
    })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::pid::tests::child;
    use serde_json::{Value, json};

    #[test]
    fn a_process_has_exactly_the_contracts_keys() {
        for (exit_code, state) in [(None, "running"), (Some(0), "exited"), (Some(-15), "exited")] {
            let expected = json!({
                "pid": 7, "command": "echo \"hi\"", "state": state, "started_at": 1_700_000_000.25,
                "exit_code": exit_code,
            });
            assert_eq!(serde_json::from_slice::<Value>(&answer(&child(7, exit_code))).unwrap(), expected);
        }
    }
}
