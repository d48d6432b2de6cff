//! What is to be reached.

use super::{Figure, Key};
use crate::servers::Subject;

/// One goal and how far it is.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What is wanted.
    pub wanted: &'static str,
    /// What there is, in words. `None`: it was not measured.
    pub found: Option<String>,
    /// Whether it is enough. What was not measured is not.
    pub reached: bool,
}

/// What a goal looks at and where its line is.
struct Line {
    wanted: &'static str,
    key: Key,
    value: Value,
    enough: fn(f64) -> bool,
}

/// How a value is made of a row's medians.
enum Value {
    /// abxd's own.
    Own,
    /// abxd's divided by another's.
    Times(Subject),
    /// What abxd's is above another's.
    Above(Subject),
}

const LINES: &[Line] = &[
    Line {
        wanted: "stat, 16 connections: at least 20 × the reference",
        key: Key::StatRate,
        value: Value::Times(Subject::Reference),
        enough: |ratio| ratio >= 20.0,
    },
    Line {
        wanted: "stat: CPU of a request at most 1.3 × the native handler",
        key: Key::StatCpu,
        value: Value::Times(Subject::Native),
        enough: |ratio| ratio <= 1.3,
    },
    Line {
        wanted: "list 1,000 entries, 4 connections: at least 40 × the reference",
        key: Key::ListRate,
        value: Value::Times(Subject::Reference),
        enough: |ratio| ratio >= 40.0,
    },
    Line {
        wanted: "download 100 MiB raw: at least 0.9 × a plain file stream",
        key: Key::PlainStream,
        value: Value::Times(Subject::Stream),
        enough: |ratio| ratio >= 0.9,
    },
    Line {
        wanted: "64 downloads at once, fast clients: less than 32 MiB more RSS",
        key: Key::GrowthFast,
        value: Value::Own,
        enough: |size| size < 32.0,
    },
    Line {
        wanted: "64 downloads at once, slow clients: less than 32 MiB more RSS",
        key: Key::GrowthSlow,
        value: Value::Own,
        enough: |size| size < 32.0,
    },
    Line {
        wanted: "start to first answered /health: at most 50 ms",
        key: Key::Start,
        value: Value::Own,
        enough: |millis| millis <= 50.0,
    },
    Line {
        wanted: "RSS idle after one call to each component: at most 32 MiB",
        key: Key::Idle,
        value: Value::Own,
        enough: |size| size <= 32.0,
    },
    Line {
        wanted: "plugin hop with one guarded call: at most 5 µs CPU over native",
        key: Key::GuardedCall,
        value: Value::Own,
        enough: |micros| micros <= 5.0,
    },
    Line {
        wanted: "shell `true`, 1 connection: p50 at most 2 × a bare spawn loop",
        key: Key::ShellLatency,
        value: Value::Times(Subject::Spawn),
        enough: |ratio| ratio <= 2.0,
    },
    Line {
        wanted: "shell `true`, 16 connections: at least 3 × the reference",
        key: Key::ShellRate,
        value: Value::Times(Subject::Reference),
        enough: |ratio| ratio >= 3.0,
    },
    Line {
        wanted: "40 parallel `sleep 1`: at most 1.1 s",
        key: Key::Waiting,
        value: Value::Own,
        enough: |millis| millis <= 1_100.0,
    },
    Line {
        wanted: "200 MB of output against a cap of 1 MiB: at most 24 MiB more RSS",
        key: Key::Flood,
        value: Value::Own,
        enough: |size| size <= 24.0,
    },
    Line {
        wanted: "idle shell stream: at most 150 KiB",
        key: Key::IdleStream,
        value: Value::Own,
        enough: |size| size <= 150.0,
    },
    Line {
        wanted: "first event of a stream: p50 at most 5 ms",
        key: Key::FirstEvent,
        value: Value::Own,
        enough: |micros| micros <= 5_000.0,
    },
    Line {
        wanted: "health beside a storm of processes: p99 at most 250 ms",
        key: Key::StormHealth,
        value: Value::Own,
        enough: |micros| micros <= 250_000.0,
    },
    Line {
        wanted: "screenshot of a warm page: p50 at most 1.3 × a bare CDP call",
        key: Key::Screenshot,
        value: Value::Times(Subject::Cdp),
        enough: |ratio| ratio <= 1.3,
    },
    Line {
        wanted: "load of a third party's component from the cache: at most 5 ms",
        key: Key::LoadCached,
        value: Value::Own,
        enough: |millis| millis <= 5.0,
    },
    Line {
        wanted: "p99 of /health beside 64 calls that compute without end: at most 100 ms",
        key: Key::HealthBesideLoops,
        value: Value::Own,
        enough: |millis| millis <= 100.0,
    },
    Line {
        wanted: "p99 of /health beside 64 such calls that begin anew every 50 ms: at most 100 ms",
        key: Key::HealthBesideNewLoops,
        value: Value::Own,
        enough: |millis| millis <= 100.0,
    },
    Line {
        wanted: "reloads under 500 requests a second: none lost, none wrong",
        key: Key::LostInReloads,
        value: Value::Own,
        enough: |lost| lost < 0.5,
    },
    Line {
        wanted: "search of 10,000 files: at least 5 × the reference",
        key: Key::Search,
        value: Value::Times(Subject::Reference),
        enough: |ratio| ratio >= 5.0,
    },
    Line {
        wanted: "archive of 10,000 files: at least 5 × the reference",
        key: Key::Archive,
        value: Value::Times(Subject::Reference),
        enough: |ratio| ratio >= 5.0,
    },
    Line {
        wanted: "archive of 1 GiB: less than 32 MiB more RSS",
        key: Key::ArchiveGrowth,
        value: Value::Own,
        enough: |size| size < 32.0,
    },
    Line {
        wanted: "watch: none of 10,000 files created at once is missed",
        key: Key::Missed,
        value: Value::Own,
        enough: |missed| missed < 0.5,
    },
    Line {
        wanted: "keystroke and its echo: p50 at most 2 ms above a bare pseudo-terminal",
        key: Key::Echo,
        value: Value::Above(Subject::Pty),
        enough: |micros| micros <= 2_000.0,
    },
    Line {
        wanted: "100 MB of terminal output: at least 5 × the reference",
        key: Key::TerminalOutput,
        value: Value::Times(Subject::Reference),
        enough: |ratio| ratio >= 5.0,
    },
    Line {
        wanted: "100 MB of terminal output: at most 16 MiB more RSS",
        key: Key::TerminalFlood,
        value: Value::Own,
        enough: |size| size <= 16.0,
    },
    Line {
        wanted: "a terminal: at most 2 MiB, scrollback aside",
        key: Key::TerminalHeld,
        value: Value::Own,
        enough: |size| size <= 2.0,
    },
    Line {
        wanted: "close of a terminal with stubborn jobs: at most 300 ms",
        key: Key::TerminalClose,
        value: Value::Own,
        enough: |millis| millis <= 300.0,
    },
];

/// Judge all goals.
#[must_use]
pub fn goals(figures: &[Figure]) -> Vec<Goal> {
    LINES.iter().map(|line| line.judge(figures)).collect()
}

impl Line {
    fn judge(&self, figures: &[Figure]) -> Goal {
        let figure = figures.iter().find(|figure| figure.key == self.key);
        let value = figure.and_then(|figure| match self.value {
            Value::Own => Some((figure.of(Subject::Abxd)?.median(), figure.unit.text())),
            Value::Times(subject) => Some((figure.ratio(subject)?, "×")),
            Value::Above(subject) => {
                let other = figure.of(subject)?.median();
                Some((figure.of(Subject::Abxd)?.median() - other, figure.unit.text()))
            }
        });
        Goal {
            wanted: self.wanted,
            found: value.map(|(value, unit)| format!("{} {unit}", crate::report::number(value))),
            reached: value.is_some_and(|(value, _)| (self.enough)(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES, goals};
    use crate::figures::{Figure, Key, Unit};
    use crate::servers::Subject;

    fn judged(key: Key, values: &[(Subject, f64)]) -> (Option<String>, bool) {
        let values = values.iter().map(|(subject, value)| (*subject, vec![*value]));
        let goals = goals(&[Figure::new(key, "x", Unit::Millis, values)]);
        assert_eq!(goals.len(), LINES.len());
        let mut found = goals.into_iter().filter(|goal| goal.found.is_some());
        let goal = found.next().map(|goal| (goal.found, goal.reached));
        assert!(found.next().is_none());
        goal.unwrap_or((None, false))
    }

    #[test]
    fn a_goal_is_reached_on_its_line() {
        let (own, reference, native) = (Subject::Abxd, Subject::Reference, Subject::Native);
        for (key, values, reached) in [
            (Key::StatRate, vec![(own, 20.0), (reference, 1.0)], true),
            (Key::StatRate, vec![(own, 19.9), (reference, 1.0)], false),
            (Key::StatCpu, vec![(own, 13.0), (native, 10.0)], true),
            (Key::StatCpu, vec![(own, 13.1), (native, 10.0)], false),
            (Key::Start, vec![(own, 50.0)], true),
            (Key::Idle, vec![(own, 32.1)], false),
            (Key::GrowthSlow, vec![(own, 32.0)], false),
            (Key::Echo, vec![(own, 2_050.0), (Subject::Pty, 50.0)], true),
            (Key::Echo, vec![(own, 2_051.0), (Subject::Pty, 50.0)], false),
            (Key::HealthBesideLoops, vec![(own, 100.0)], true),
            (Key::LostInReloads, vec![(own, 0.0)], true),
            (Key::Missed, vec![(own, 1.0)], false),
        ] {
            assert_eq!(judged(key, &values).1, reached, "{key:?} {values:?}");
        }
    }

    #[test]
    fn what_was_not_measured_is_not_reached() {
        assert_eq!(judged(Key::StatRate, &[(Subject::Abxd, 5.0)]), (None, false));
        assert_eq!(judged(Key::Other, &[(Subject::Abxd, 5.0)]), (None, false));
    }
}
