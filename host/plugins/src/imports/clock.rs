//! `abx:host/clock`.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::bindings::abx::host::clock;
use crate::instance::State;

impl clock::Host for State {
    fn now(&mut self) -> wasmtime::Result<u64> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }
}
