//! One row of the result.

use super::Spread;
use crate::servers::Subject;

/// Names of the rows that goals look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Requests per second of `files_stat`, 16 connections.
    StatRate,
    /// Server CPU of one of those requests.
    StatCpu,
    /// What a component adds to that.
    GuardedCall,
    /// Requests per second of `files_list`, 1,000 entries.
    ListRate,
    /// Raw download of 100 MiB against a plain file stream.
    PlainStream,
    /// Start-up.
    Start,
    /// Resident when idle.
    Idle,
    /// Growth under parallel downloads, fast clients.
    GrowthFast,
    /// The same, slow clients.
    GrowthSlow,
    /// The smallest command, one connection: median time.
    ShellLatency,
    /// The same, 16 connections: requests per second.
    ShellRate,
    /// Many commands that wait a second, at once.
    Waiting,
    /// Growth under a flood of output that is not kept.
    Flood,
    /// What an idle stream holds.
    IdleStream,
    /// From request to first event of a stream.
    FirstEvent,
    /// The slowest answers of `health` beside a storm of processes.
    StormHealth,
    /// Loading a third party's component whose code is cached.
    LoadCached,
    /// p99 of `/health` beside components that compute without end.
    HealthBesideLoops,
    /// The same, while they begin anew all the time.
    HealthBesideNewLoops,
    /// Requests without the right answer while deployments are swapped.
    LostInReloads,
    /// Searching 10,000 files.
    Search,
    /// Archiving them.
    Archive,
    /// Growth under an archive of 1 GiB.
    ArchiveGrowth,
    /// Files whose creation no watch told.
    Missed,
    /// A keystroke and its echo: median time.
    Echo,
    /// Terminal output to one client.
    TerminalOutput,
    /// Growth under it.
    TerminalFlood,
    /// What a terminal holds.
    TerminalHeld,
    /// The slowest closes of terminals.
    TerminalClose,
    /// An image of a warm page: median time.
    Screenshot,
    /// A row that no goal looks at.
    Other,
}

/// Unit of a row's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Requests per second: more is better.
    PerSecond,
    /// MiB per second: more is better.
    Throughput,
    /// Microseconds.
    Micros,
    /// Milliseconds.
    Millis,
    /// MiB.
    Size,
    /// KiB.
    SmallSize,
    /// A number of things.
    Count,
}

impl Unit {
    /// As it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::PerSecond => "req/s",
            Self::Throughput => "MiB/s",
            Self::Micros => "µs",
            Self::Millis => "ms",
            Self::Size => "MiB",
            Self::SmallSize => "KiB",
            Self::Count => "",
        }
    }
}

/// One thing that was measured.
#[derive(Clone, Debug)]
pub struct Figure {
    /// For goals.
    pub key: Key,
    /// For people.
    pub title: String,
    /// Of all values.
    pub unit: Unit,
    /// The values of each server that has any.
    pub values: Vec<(Subject, Spread)>,
}

impl Figure {
    /// A row; servers without a value are left out.
    #[must_use]
    pub fn new(
        key: Key,
        title: impl Into<String>,
        unit: Unit,
        values: impl IntoIterator<Item = (Subject, Vec<f64>)>,
    ) -> Self {
        let values = values.into_iter().filter_map(|(subject, values)| Some((subject, Spread::of(values)?)));
        Self { key, title: title.into(), unit, values: values.collect() }
    }

    /// The values of one server.
    #[must_use]
    pub fn of(&self, subject: Subject) -> Option<&Spread> {
        self.values.iter().find_map(|(known, spread)| (*known == subject).then_some(spread))
    }

    /// abxd's median divided by that of another server.
    #[must_use]
    pub fn ratio(&self, to: Subject) -> Option<f64> {
        let (own, other) = (self.of(Subject::Abxd)?.median(), self.of(to)?.median());
        (other > 0.0).then_some(own / other)
    }
}

#[cfg(test)]
mod tests {
    use super::{Figure, Key, Unit};
    use crate::servers::Subject;

    #[test]
    fn ratios_are_of_medians() {
        let values =
            [(Subject::Abxd, vec![30.0, 10.0, 20.0]), (Subject::Native, vec![40.0]), (Subject::Reference, vec![])];
        let figure = Figure::new(Key::Other, "x", Unit::PerSecond, values);
        assert_eq!(figure.ratio(Subject::Native), Some(0.5));
        assert_eq!(figure.ratio(Subject::Reference), None);
    }
}
