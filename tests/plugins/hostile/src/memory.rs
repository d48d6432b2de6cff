//! Using up memory.

use std::hint::black_box;

use abx_sdk::log::{self, Level};
use abx_sdk::{Problem, Request, Response, bulk, json};

const MIB: usize = 1 << 20;

pub(crate) fn grow() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; MIB]);
        black_box(&all);
    }
}

/// Grow by so many MiB, and keep them, and the slot, until the client's body is there.
pub(crate) fn keep(mut request: Request) -> Result<Response, Problem> {
    let size = request.query_integer("mib")?.and_then(|mib| usize::try_from(mib).ok()).unwrap_or_default();
    let kept = black_box(vec![1_u8; size * MIB]);
    log::write(Level::Info, "memory is kept");
    if let Some(body) = request.take_unread() {
        bulk::read_json(body, None)?;
    }
    Ok(Response::json(json::object(32, |answer| answer.integer("kept", kept.len() as u64))))
}
