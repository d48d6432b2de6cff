//! The smallest request there is work for: one file is looked at. It shows what the way through the server costs.

use super::rounds::Rounds;
use super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Request};
use crate::servers::Subject;

pub(super) fn measure(rounds: &Rounds<'_>) -> Result<Vec<Figure>, FigureError> {
    let target = rounds.bed().target("/files/stat", "stat.txt");
    let stat = |subject| (subject != Subject::Stream).then(|| Request::get(&target));
    // The component itself refuses a request without a path: it is entered and left, and asks the host for nothing.
    let refused = |subject| (subject != Subject::Stream).then(|| Request::get("/files/stat").answered(400));
    let many = rounds.run(Load::of(16, rounds.time()), stat)?;
    let one = rounds.run(Load::of(1, rounds.time()), stat)?;
    let hop = rounds.run(Load::of(16, rounds.time()), refused)?;
    let cpu = Sample::cpu_micros;
    let over_native = |samples: &super::rounds::Samples| [(Subject::Abxd, samples.excess(Subject::Native, cpu))];
    Ok(vec![
        Figure::new(Key::StatRate, "stat, 16 connections", Unit::PerSecond, many.values(Sample::per_second)),
        Figure::new(Key::StatCpu, "stat, server CPU of a request", Unit::Micros, many.values(cpu)),
        Figure::new(Key::Other, "stat, 1 connection, p50", Unit::Micros, one.values(Sample::median_micros)),
        Figure::new(Key::Other, "refused argument, server CPU of a request", Unit::Micros, hop.values(cpu)),
        Figure::new(Key::Other, "plugin hop: CPU over native", Unit::Micros, over_native(&hop)),
        Figure::new(
            Key::GuardedCall,
            "plugin hop with one guarded call: CPU over native",
            Unit::Micros,
            over_native(&many),
        ),
    ])
}
