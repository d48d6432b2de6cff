//! The endpoints of group `system`: each asks the host for facts and words the answer.
//!
//! What is measured, which variables are shown and which may be set is the host's to say. What the endpoints decide on
//! their own (units, rounding, forms) is in functions that ask the host nothing, and is tested without one.

mod env_get;
mod env_set;
mod info;
mod metrics;
mod packages;
mod ports;
mod unit;

use abx_sdk::{Plugin, Problem, Request, Response};

struct System;

impl Plugin for System {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "system_info" => Ok(info::info()),
            "system_metrics" => Ok(metrics::metrics()),
            "env_get" => Ok(env_get::env_get(&request)),
            "env_set" => env_set::env_set(&request),
            "ports" => Ok(ports::ports()),
            "packages" => packages::packages(&request),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(System);

#[cfg(test)]
mod tests {
    use super::System;
    use abx_sdk::{InBody, Plugin, Request};

    #[test]
    fn what_is_not_served_is_unavailable() {
        for op in ["shell", ""] {
            let request = Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::None };
            let problem = System::handle(op, request).err().unwrap();
            assert_eq!((problem.fault().unwrap().status, problem.code()), (503, Some("plugin_unavailable")));
        }
    }
}
