//! The endpoints of group `dev_tools`: each reads its arguments, asks the host for one operation and words the answer.
//!
//! The host runs interpreters and git, judges what they may be run on and what of their output is shown. What the
//! endpoints decide on their own (forms, defaults, texts) is in functions that ask the host nothing, and is tested
//! without one.

mod code_run;
mod git_diff;
mod git_failure;
mod git_status;

use abx_sdk::{Plugin, Problem, Request, Response};

struct DevTools;

impl Plugin for DevTools {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "code_run" => code_run::code_run(&request),
            "git_status" => git_status::git_status(&request),
            "git_diff" => git_diff::git_diff(&request),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(DevTools);

#[cfg(test)]
mod tests {
    use super::DevTools;
    use abx_sdk::{InBody, Plugin, Request};

    #[test]
    fn what_is_not_served_is_unavailable() {
        for op in ["shell", ""] {
            let request = Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::None };
            let problem = DevTools::handle(op, request).err().unwrap();
            assert_eq!((problem.fault().unwrap().status, problem.code()), (503, Some("plugin_unavailable")));
        }
    }
}
