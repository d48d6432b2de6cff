//! How a plugin has been doing: crash loops back off and recover.
//!
//! Each endpoint has a row of its own, so that a request that breaks one of them is no way to shut the others. A component
//! that does not even start has one for all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::PluginError;

/// Failures in a row after which an endpoint is left alone.
const PATIENCE: u32 = 5;

/// First and longest time that it is left alone.
const PAUSE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// Whether a plugin serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It serves.
    Serving,
    /// The last call of one of its endpoints failed; it is still tried.
    Failing,
    /// It does not start, or one of its endpoints failed too often in a row, and is left alone for a while.
    BackingOff,
}

impl State {
    /// As shown to operators.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Serving => "serving",
            Self::Failing => "failing",
            Self::BackingOff => "backing off",
        }
    }
}

/// The failures of one plugin. The lock is held for a few instructions.
#[derive(Debug, Default)]
pub(super) struct Record(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    starting: Row,
    /// Those whose last call failed. The table of endpoints bounds their number.
    endpoints: HashMap<Arc<str>, Row>,
}

impl Record {
    fn with<T>(&self, look: impl FnOnce(&mut Rows) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether a call may be tried now. After a pause one call is the probe; the others wait for its outcome.
    pub(super) fn may_try(&self, endpoint: &str, now: Instant) -> Result<(), PluginError> {
        self.with(|rows| {
            rows.starting.may_try(now)?;
            rows.endpoints.get_mut(endpoint).map_or(Ok(()), |row| row.may_try(now))
        })
    }

    pub(super) fn served(&self, endpoint: &str) {
        self.with(|rows| {
            rows.starting = Row::default();
            rows.endpoints.remove(endpoint);
        });
    }

    pub(super) fn failed(&self, endpoint: &Arc<str>, now: Instant) {
        self.with(|rows| {
            rows.starting = Row::default();
            rows.endpoints.entry(endpoint.clone()).or_default().failed(now);
        });
    }

    pub(super) fn failed_to_start(&self, now: Instant) {
        self.with(|rows| rows.starting.failed(now));
    }

    pub(super) fn state(&self, now: Instant) -> State {
        self.with(|rows| {
            let states = rows.endpoints.values().map(|row| row.state(now));
            states.fold(rows.starting.state(now), State::max)
        })
    }
}

/// Failures in a row, and until when nothing is tried.
#[derive(Debug, Default)]
struct Row {
    failures: u32,
    until: Option<Instant>,
}

impl Row {
    fn may_try(&mut self, now: Instant) -> Result<(), PluginError> {
        match self.until {
            Some(until) if until > now => Err(PluginError::BackingOff { again: until - now }),
            Some(_) => {
                self.until = Some(now + pause(self.failures));
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= PATIENCE {
            self.until = Some(now + pause(self.failures));
        }
    }

    fn state(&self, now: Instant) -> State {
        match (self.failures, self.until) {
            (_, Some(until)) if until > now => State::BackingOff,
            (0, _) => State::Serving,
            _ => State::Failing,
        }
    }
}

fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(PATIENCE).min(16);
    PAUSE.0.saturating_mul(1 << doublings).min(PAUSE.1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::{PATIENCE, Record, State};

    #[test]
    fn a_crash_loop_backs_off_and_recovers() {
        let (record, mut now, endpoint) = (Record::default(), Instant::now(), Arc::from("a"));
        for _ in 0..PATIENCE {
            assert!(record.may_try(&endpoint, now).is_ok());
            record.failed(&endpoint, now);
        }
        assert_eq!(record.state(now), State::BackingOff);
        assert!(record.may_try(&endpoint, now).is_err());
        now += Duration::from_millis(501);
        assert!(record.may_try(&endpoint, now).is_ok(), "one probe");
        assert!(record.may_try(&endpoint, now).is_err(), "and no more until it is back");
        record.failed(&endpoint, now);
        now += Duration::from_millis(501);
        assert!(record.may_try(&endpoint, now).is_err(), "the pause has doubled");
        now += Duration::from_millis(500);
        assert!(record.may_try(&endpoint, now).is_ok());
        record.served(&endpoint);
        assert_eq!(record.state(now), State::Serving);
    }

    #[test]
    fn an_endpoint_that_breaks_leaves_the_others_alone() {
        let (record, now, [bad, good]) = (Record::default(), Instant::now(), ["bad", "good"].map(Arc::from));
        for _ in 0..PATIENCE {
            record.failed(&bad, now);
        }
        assert!(record.may_try(&bad, now).is_err());
        assert!(record.may_try(&good, now).is_ok());
        record.served(&good);
        assert!(record.may_try(&bad, now).is_err());
        assert_eq!(record.state(now), State::BackingOff);
    }

    #[test]
    fn one_that_does_not_start_is_left_alone_whole() {
        let (record, now, endpoint) = (Record::default(), Instant::now(), Arc::<str>::from("a"));
        for _ in 0..PATIENCE {
            assert!(record.may_try(&endpoint, now).is_ok());
            record.failed_to_start(now);
        }
        assert!(record.may_try(&endpoint, now).is_err() && record.may_try("other", now).is_err());
        // It has started after all.
        record.failed(&endpoint, now);
        assert!(record.may_try("other", now).is_ok());
        assert_eq!(record.state(now), State::Failing);
    }

    #[test]
    fn pauses_stay_bounded() {
        let (record, now, endpoint) = (Record::default(), Instant::now(), Arc::from("a"));
        for _ in 0..1000 {
            record.failed(&endpoint, now);
        }
        assert!(record.may_try(&endpoint, now + Duration::from_secs(31)).is_ok());
    }
}
