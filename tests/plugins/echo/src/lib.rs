//! A plugin that behaves: it says what it was told, and who it is.

mod answer;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Echo;

impl Plugin for Echo {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        answer::to(op, request, "one")
    }
}

abx_sdk::export!(Echo);
