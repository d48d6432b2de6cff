//! The endpoints of group `terminal` that are requests. `pty_connect` is the host's own socket: no byte of a terminal comes
//! here.
//!
//! Each reads its arguments, asks the host for one operation and words the answer. The host judges the shell and its
//! variables, and knows whose session is whose.

mod create;
mod delete;
mod detail;
mod list;
mod resize;
mod session;
mod size;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Terminal;

impl Plugin for Terminal {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "pty_create_session" => create::create(&request),
            "pty_list_sessions" => Ok(list::list()),
            "pty_detail" => detail::detail(&request),
            "pty_resize" => resize::resize(&request),
            "pty_delete_session" => delete::delete(&request),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(Terminal);

#[cfg(test)]
mod tests {
    use super::Terminal;
    use abx_sdk::{InBody, Plugin, Request};

    #[test]
    fn the_socket_is_not_served_here() {
        for op in ["pty_connect", "shell", ""] {
            let request = Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::None };
            let problem = Terminal::handle(op, request).err().unwrap();
            assert_eq!((problem.fault().unwrap().status, problem.code()), (503, Some("plugin_unavailable")));
        }
    }
}
