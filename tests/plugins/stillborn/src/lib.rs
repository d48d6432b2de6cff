//! A plugin whose instances never get as far as serving: they sleep while they are started.
#![allow(unsafe_code, reason = "code that runs before everything else has to be put into its section")]

use std::time::Duration;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Stillborn;

impl Plugin for Stillborn {
    fn handle(_: &str, _: Request) -> Result<Response, Problem> {
        Ok(Response::empty(204))
    }
}

abx_sdk::export!(Stillborn);

#[used]
#[unsafe(link_section = ".init_array")]
static FIRST: extern "C" fn() = sleep;

extern "C" fn sleep() {
    std::thread::sleep(Duration::MAX);
}
