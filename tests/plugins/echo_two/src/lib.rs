//! The next version of `echo`.

#[path = "../../echo/src/answer.rs"]
mod answer;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Echo;

impl Plugin for Echo {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        answer::to(op, request, "two")
    }
}

abx_sdk::export!(Echo);
