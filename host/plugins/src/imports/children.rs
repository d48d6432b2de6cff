//! `abx:host/children`: what running a program means, for every import that runs one.

use std::time::Duration;

use abxd_capabilities::process::{self as machine, CapturedText};
use abxd_policy::Rule;
use wasmtime::component::{Resource, ResourceTable};

use crate::bindings::abx::host::children as wit;
use crate::exchange::Source;
use crate::instance::State;

impl wit::Host for State {}

/// What the component asks for, within what the rule allows (contract: process §1.3 step 9).
pub(super) fn options(asked: wit::RunOptions, rule: &Rule) -> machine::RunOptions {
    let limits = rule.limits();
    let timeout = Duration::from_millis(asked.timeout);
    // The policy's numbers are positive; one that no duration can be is no limit.
    let most = limits.timeout_seconds().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    machine::RunOptions {
        timeout: most.map_or(timeout, |most| timeout.min(most)),
        most_output: within(asked.max_output, limits.max_output_bytes()),
    }
}

/// The smaller of two limits that may not be there.
pub(super) fn within(asked: Option<u64>, limit: Option<u64>) -> Option<u64> {
    match (asked, limit) {
        (Some(asked), Some(limit)) => Some(asked.min(limit)),
        (one, other) => one.or(other),
    }
}

/// A program that was run, for the component: its output goes into `table`.
pub(super) fn finished(finished: machine::Finished, table: &mut ResourceTable) -> wasmtime::Result<wit::Finished> {
    Ok(wit::Finished {
        exit_code: finished.exit.code(),
        timed_out: finished.timed_out,
        truncated: finished.stdout.truncated || finished.stderr.truncated,
        stdout: source(finished.stdout.text, table)?,
        stderr: source(finished.stderr.text, table)?,
        elapsed: u64::try_from(finished.elapsed.as_micros()).unwrap_or(u64::MAX),
    })
}

/// What a child wrote, for the component.
pub(super) fn source(text: CapturedText, table: &mut ResourceTable) -> wasmtime::Result<Resource<Source>> {
    let source = match text {
        CapturedText::Memory(text) => Source::memory(text),
        CapturedText::File(file, size) => Source::file(file, size),
    };
    Ok(table.push(source)?)
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn the_smaller_limit_counts() {
        assert_eq!(within(None, None), None);
        assert_eq!(within(Some(5), None), Some(5));
        assert_eq!(within(None, Some(5)), Some(5));
        assert_eq!(within(Some(7), Some(5)), Some(5));
        assert_eq!(within(Some(3), Some(5)), Some(3));
    }
}
