//! A plugin whose instances never get as far as serving: they sleep while they are started.
#![allow(unsafe_code, reason = "the function that runs before everything else is known by its name")]

#[cfg(target_arch = "wasm32")]
use std::time::Duration;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Stillborn;

impl Plugin for Stillborn {
    fn handle(_: &str, _: Request) -> Result<Response, Problem> {
        Ok(Response::empty(204))
    }
}

abx_sdk::export!(Stillborn);

/// Called by whoever instantiates the module.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
extern "C" fn _initialize() {
    std::thread::sleep(Duration::MAX);
}
