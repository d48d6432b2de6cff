//! What a load amounted to.

use std::time::Duration;

/// Answers of one load.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// From the first request to the last answer.
    pub elapsed: Duration,
    /// Bytes of bodies, of answers and of requests.
    pub bytes: u64,
    /// The time that each request took.
    pub latencies: Vec<Duration>,
}

impl Tally {
    /// Requests that were answered.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.latencies.len()
    }

    /// Requests per second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.requests() as f64 / self.elapsed.as_secs_f64().max(f64::EPSILON)
    }

    /// The middle one of the latencies; zero when there was no request.
    #[must_use]
    pub fn median_latency(&self) -> Duration {
        self.latency_above(50)
    }

    /// The latency that so many percent of the requests stay below; zero when there was none.
    #[must_use]
    pub fn latency_above(&self, percent: usize) -> Duration {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() * percent / 100).or(sorted.last()).copied().unwrap_or_default()
    }

    /// Add what another connection of the same load did.
    pub(super) fn add(&mut self, other: Self) {
        self.elapsed = self.elapsed.max(other.elapsed);
        self.bytes += other.bytes;
        self.latencies.extend(other.latencies);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Tally;

    fn tally(millis: &[u64]) -> Tally {
        let latencies: Vec<_> = millis.iter().copied().map(Duration::from_millis).collect();
        Tally { elapsed: latencies.iter().sum(), bytes: 10, latencies }
    }

    #[test]
    fn connections_of_one_load_run_side_by_side() {
        let mut sum = tally(&[1, 2, 3]);
        sum.add(tally(&[10]));
        assert_eq!((sum.requests(), sum.bytes, sum.elapsed), (4, 20, Duration::from_millis(10)));
        assert!((sum.per_second() - 400.0).abs() < 1e-9);
        assert_eq!(sum.median_latency(), Duration::from_millis(3));
        assert_eq!(
            (sum.latency_above(99), sum.latency_above(100)),
            (Duration::from_millis(10), Duration::from_millis(10))
        );
    }

    #[test]
    fn no_request_has_no_latency() {
        assert_eq!(Tally::default().median_latency(), Duration::ZERO);
        assert!(Tally::default().per_second().abs() < 1e-9);
    }
}
