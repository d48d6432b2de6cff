//! The smallest request there is work for: one file is looked at. It shows what the way through the server costs.

use super::rounds::Rounds;
use super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Request};
use crate::servers::Subject;

pub(super) fn measure(rounds: &Rounds<'_>) -> Result<Vec<Figure>, FigureError> {
    let target = rounds.bed().target("/files/stat", "stat.txt");
    let stat = |subject| (subject != Subject::Stream).then(|| Request::get(&target));
    let many = rounds.run(Load::of(16, rounds.time()), stat)?;
    let one = rounds.run(Load::of(1, rounds.time()), stat)?;
    let cpu = Sample::cpu_micros;
    Ok(vec![
        Figure::new(Key::StatRate, "stat, 16 connections", Unit::PerSecond, many.values(Sample::per_second)),
        Figure::new(Key::StatCpu, "stat, server CPU of a request", Unit::Micros, many.values(cpu)),
        Figure::new(Key::Other, "stat, 1 connection, p50", Unit::Micros, one.values(Sample::median_micros)),
    ])
}
