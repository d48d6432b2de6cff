//! The endpoints of group `commands`: what is registered, and calling one of it. Contract: commands.
//!
//! The host keeps the registry, says which scope a caller lacks, and runs what is called. Here are the order of checks and
//! the conversion of arguments, in functions that ask the host nothing.

mod convert;
mod list;
mod run;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Commands;

impl Plugin for Commands {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "list_commands" => Ok(list::list()),
            "run_command" => run::run(&request),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(Commands);

#[cfg(test)]
mod tests {
    use super::Commands;
    use abx_sdk::{InBody, Plugin, Request};

    #[test]
    fn what_is_not_served_is_unavailable() {
        let request = Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::None };
        let problem = Commands::handle("shell", request).err().unwrap();
        assert_eq!((problem.fault().unwrap().status, problem.code()), (503, Some("plugin_unavailable")));
    }
}
