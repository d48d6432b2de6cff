//! Listing directories.

use super::rounds::Rounds;
use super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Request};
use crate::servers::{Listing, Subject};

pub(super) fn measure(rounds: &Rounds<'_>) -> Result<Vec<Figure>, FigureError> {
    let mut figures = Vec::new();
    for (key, listing, entries) in [(Key::ListRate, Listing::USUAL, "1,000"), (Key::Other, Listing::LARGE, "20,000")] {
        let target = rounds.bed().listing(listing);
        let request = |subject| (subject != Subject::Stream).then(|| Request::get(&target));
        let samples = rounds.run(Load::of(4, rounds.time()), request)?;
        let title = format!("list {entries} entries");
        figures.extend([
            Figure::new(key, format!("{title}, 4 connections"), Unit::PerSecond, samples.values(Sample::per_second)),
            Figure::new(
                Key::Other,
                format!("{title}, server CPU of a request"),
                Unit::Millis,
                samples.values(Sample::cpu_millis),
            ),
        ]);
    }
    Ok(figures)
}
