//! The endpoints of group `process`: each reads its arguments, asks the host for one operation and words the answer.
//!
//! The host judges what runs, owns it, and keeps its output: of that nothing passes through here. What the endpoints
//! decide on their own (words, forms, defaults, texts) is in functions that ask the host nothing, and is tested without
//! one.

mod command;
mod detail;
mod failure;
mod list;
mod output;
mod pid;
mod shell;
mod shell_stream;
mod signal;
mod start;
mod stdin;
mod timeout;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Process;

impl Plugin for Process {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "shell" => shell::shell(&request),
            "shell_stream" => shell_stream::shell_stream(&request),
            "process_start" => start::start(&request),
            "process_list" => Ok(list::list()),
            "process_detail" => detail::detail(&request),
            "process_signal" => signal::signal(&request),
            "process_stdin" => stdin::stdin(&request),
            "process_output" => output::output(&request),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(Process);

#[cfg(test)]
mod tests {
    use super::Process;
    use abx_sdk::{InBody, Plugin, Problem, Request};

    fn refusal(op: &str, pid: &str, body: &str) -> Problem {
        let body = InBody::Json(body.as_bytes().to_vec());
        let request = Request { path_params: vec![pid.to_owned()], query: vec![], headers: vec![], body };
        Process::handle(op, request).err().unwrap()
    }

    fn status_and_code(problem: &Problem) -> (u16, Option<&str>) {
        (problem.fault().unwrap().status, problem.code())
    }

    #[test]
    fn what_is_not_served_is_unavailable() {
        for op in ["files_stat", ""] {
            assert_eq!(status_and_code(&refusal(op, "1", "{}")), (503, Some("plugin_unavailable")));
        }
    }

    /// Both are told before anything else is looked at.
    #[test]
    fn a_missing_command_and_an_odd_pid_are_refused_everywhere() {
        for op in ["shell", "shell_stream", "process_start"] {
            for body in ["{}", r#"{"command":5,"cwd":5,"env":5}"#] {
                assert_eq!(status_and_code(&refusal(op, "", body)), (400, None), "{op}");
            }
        }
        for op in ["process_detail", "process_signal", "process_stdin", "process_output"] {
            for pid in ["x", "1.5", "", "0x1"] {
                assert_eq!(status_and_code(&refusal(op, pid, "{}")), (400, None), "{op} {pid}");
            }
        }
    }
}
