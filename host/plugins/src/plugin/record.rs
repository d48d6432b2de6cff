//! How a plugin has been doing: crash loops back off and recover.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::PluginError;

/// Failures in a row after which a plugin is left alone.
const PATIENCE: u32 = 5;

/// First and longest time that it is left alone.
const PAUSE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// Whether a plugin serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It serves.
    Serving,
    /// Its last calls failed; it is still tried.
    Failing,
    /// It failed too often in a row and is left alone for a while.
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

/// Failures in a row, and until when the plugin is left alone. The lock is held for a few instructions.
#[derive(Debug, Default)]
pub(super) struct Record(Mutex<Row>);

#[derive(Debug, Default)]
struct Row {
    failures: u32,
    until: Option<Instant>,
}

impl Record {
    fn with<T>(&self, look: impl FnOnce(&mut Row) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether a call may be tried now. After a pause one call is the probe; the others wait for its outcome.
    pub(super) fn may_try(&self, now: Instant) -> Result<(), PluginError> {
        self.with(|row| match row.until {
            Some(until) if until > now => Err(PluginError::BackingOff { again: until - now }),
            Some(_) => {
                row.until = Some(now + pause(row.failures));
                Ok(())
            }
            None => Ok(()),
        })
    }

    pub(super) fn served(&self) {
        self.with(|row| *row = Row::default());
    }

    pub(super) fn failed(&self, now: Instant) {
        self.with(|row| {
            row.failures = row.failures.saturating_add(1);
            if row.failures >= PATIENCE {
                row.until = Some(now + pause(row.failures));
            }
        });
    }

    pub(super) fn state(&self, now: Instant) -> State {
        self.with(|row| match (row.failures, row.until) {
            (_, Some(until)) if until > now => State::BackingOff,
            (0, _) => State::Serving,
            _ => State::Failing,
        })
    }
}

fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(PATIENCE).min(16);
    PAUSE.0.saturating_mul(1 << doublings).min(PAUSE.1)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{PATIENCE, Record, State};

    #[test]
    fn a_crash_loop_backs_off_and_recovers() {
        let (record, mut now) = (Record::default(), Instant::now());
        for _ in 0..PATIENCE {
            assert!(record.may_try(now).is_ok());
            record.failed(now);
        }
        assert_eq!(record.state(now), State::BackingOff);
        assert!(record.may_try(now).is_err());
        now += Duration::from_millis(501);
        assert!(record.may_try(now).is_ok(), "one probe");
        assert!(record.may_try(now).is_err(), "and no more until it is back");
        record.failed(now);
        now += Duration::from_millis(501);
        assert!(record.may_try(now).is_err(), "the pause has doubled");
        now += Duration::from_millis(500);
        assert!(record.may_try(now).is_ok());
        record.served();
        assert_eq!(record.state(now), State::Serving);
    }

    #[test]
    fn pauses_stay_bounded() {
        let (record, now) = (Record::default(), Instant::now());
        for _ in 0..1000 {
            record.failed(now);
        }
        assert!(record.may_try(now + Duration::from_secs(31)).is_ok());
    }
}
