//! Lines in the operator's log, many of them.

use std::io::Write;

use abx_sdk::log::{self, Level};
use abx_sdk::{Problem, Request, Response};

fn lines(request: &Request) -> Result<i64, Problem> {
    Ok(request.query_integer("lines")?.unwrap_or(1))
}

pub(crate) fn log(request: &Request) -> Result<Response, Problem> {
    for _ in 0..lines(request)? {
        log::write(Level::Error, "noise\n{\"endpoint\":\"forged\"}\u{1b}[31m");
    }
    Ok(Response::empty(204))
}

pub(crate) fn stderr(request: &Request) -> Result<Response, Problem> {
    let mut out = std::io::stderr().lock();
    for _ in 0..lines(request)? {
        // There is nobody to tell.
        let _ = out.write_all(b"noise\r{\"endpoint\":\"forged\"}\x1b[31m\n");
    }
    Ok(Response::empty(204))
}
