//! How fast a peer takes what there is for it.
//!
//! A peer that is up to date may take its time. One that is behind has to take a certain amount in each stretch of time, or
//! catch up in it: whoever takes a byte now and then holds others up as much as one that takes none.

use std::time::Duration;

use tokio::time::Instant;

/// See the module.
#[derive(Debug)]
pub(super) struct Pace {
    patience: Duration,
    least: usize,
    /// Start of the stretch, and what was taken in it. None: there is nothing to take.
    stretch: Option<(Instant, usize)>,
}

impl Pace {
    pub(super) fn new(patience: Duration, least: usize) -> Self {
        Self { patience, least, stretch: None }
    }

    /// There is something to take; until when some of it has to be taken.
    pub(super) fn deadline(&mut self, now: Instant) -> Instant {
        let (since, _) = self.stretch.get_or_insert((now, 0));
        *since + self.patience
    }

    /// The peer has taken something.
    pub(super) fn took(&mut self, bytes: usize, now: Instant) {
        let Some((since, taken)) = &mut self.stretch else { return };
        *taken = taken.saturating_add(bytes);
        if *taken >= self.least {
            (*since, *taken) = (now, 0);
        }
    }

    /// There is nothing left to take.
    pub(super) fn caught_up(&mut self) {
        self.stretch = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Instant, Pace};

    const PATIENCE: Duration = Duration::from_secs(10);

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn one_that_takes_nothing_or_trickles_is_given_one_stretch() {
        let start = Instant::now();
        let mut pace = Pace::new(PATIENCE, 100);
        assert_eq!(pace.deadline(start), after(start, 10));
        for second in 1..10 {
            pace.took(9, after(start, second));
            assert_eq!(pace.deadline(after(start, second)), after(start, 10));
        }
    }

    #[test]
    fn one_that_takes_enough_goes_on() {
        let start = Instant::now();
        let mut pace = Pace::new(PATIENCE, 100);
        pace.deadline(start);
        pace.took(60, after(start, 4));
        pace.took(60, after(start, 8));
        assert_eq!(pace.deadline(after(start, 9)), after(start, 18));
    }

    #[test]
    fn one_that_catches_up_owes_nothing() {
        let start = Instant::now();
        let mut pace = Pace::new(PATIENCE, 100);
        pace.deadline(start);
        pace.took(1, after(start, 9));
        pace.caught_up();
        pace.took(5, after(start, 11));
        assert_eq!(pace.deadline(after(start, 12)), after(start, 22));
    }
}
