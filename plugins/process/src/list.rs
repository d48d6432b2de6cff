//! `process_list`: the processes that run. Contract: process §5.

use abx_sdk::process::{self, Child};
use abx_sdk::{Response, json};

use crate::pid;

pub(crate) fn list() -> Response {
    Response::json(answer(&process::list()))
}

fn answer(children: &[Child]) -> Vec<u8> {
    json::object(32 + children.len() * 96, |answer| {
        answer.list("processes", |list| {
            for child in children.iter().filter(|child| child.exit_code.is_none()) {
                list.object(|item| pid::describe(item, child));
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::pid::tests::child;
    use serde_json::{Value, json};

    #[test]
    fn those_that_run_have_exactly_the_contracts_keys() {
        let expected = json!({"processes": [
            {"pid": 7, "command": "echo \"hi\"", "state": "running", "started_at": 1_700_000_000.25},
        ]});
        let listed = answer(&[child(7, None), child(8, Some(0))]);
        assert_eq!(serde_json::from_slice::<Value>(&listed).unwrap(), expected);
        assert_eq!(answer(&[]), br#"{"processes":[]}"#);
    }
}
