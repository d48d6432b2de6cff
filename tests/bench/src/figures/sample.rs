//! One round of one workload on one server.

use std::time::Duration;

use crate::load::Tally;

/// What one round gave.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) tally: Tally,
    /// CPU time of the server meanwhile.
    pub(super) cpu: Duration,
}

impl Sample {
    /// CPU time of a request, in microseconds.
    pub(super) fn cpu_micros(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.tally.requests().max(1) as f64
    }

    /// The same in milliseconds.
    pub(super) fn cpu_millis(&self) -> f64 {
        self.cpu_micros() / 1e3
    }

    /// The middle latency, in microseconds.
    pub(super) fn median_micros(&self) -> f64 {
        self.tally.median_latency().as_secs_f64() * 1e6
    }

    /// The latency of the slowest of a hundred, in microseconds.
    pub(super) fn slow_micros(&self) -> f64 {
        self.tally.latency_above(99).as_secs_f64() * 1e6
    }

    /// Requests per second.
    pub(super) fn per_second(&self) -> f64 {
        self.tally.per_second()
    }
}
