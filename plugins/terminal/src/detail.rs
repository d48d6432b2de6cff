//! `pty_detail`: one session. Contract: terminal, GET /pty/sessions/{id}.

use abx_sdk::{Problem, Request, Response, json, terminal};

use crate::session::{describe, id, unknown};

pub(crate) fn detail(request: &Request) -> Result<Response, Problem> {
    let session = terminal::find(id(request)).ok_or_else(unknown)?;
    Ok(Response::json(json::object(128, |answer| describe(answer, &session))))
}
