//! Keeping, guessing and reaching for what is not its own.
#![allow(unsafe_code, reason = "a handle can be guessed only where the language allows nonsense")]

use std::mem::forget;

use abx_sdk::bulk::Source;
use abx_sdk::{Problem, Request, Response, files};

/// Open a file again and again, and close none.
pub(crate) fn leak_without_end(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    loop {
        forget(files::open(&path)?.content);
    }
}

/// Open a file a few times, close none, and answer as if all was well.
pub(crate) fn leak_some(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    for _ in 0..8 {
        forget(files::open(&path)?.content);
    }
    Ok(Response::empty(204))
}

/// Answer with a source that was never opened.
pub(crate) fn forge(request: &Request) -> Result<Response, Problem> {
    let handle = request.query_integer("handle")?.and_then(|handle| u32::try_from(handle).ok()).unwrap_or(1);
    // SAFETY: none. The host has to notice.
    Ok(Response::source(unsafe { Source::from_handle(handle) }))
}

/// Hand out any file that the host opens.
pub(crate) fn read(request: &Request) -> Result<Response, Problem> {
    Ok(Response::source(files::open(&request.require_path("path")?)?.content))
}
