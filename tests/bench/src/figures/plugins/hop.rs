//! The way into a component and back, against a native handler behind the same pipeline and guard.

use super::super::rounds::{Rounds, Samples};
use super::super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Request};
use crate::servers::Subject;

pub(super) fn measure(rounds: &Rounds<'_>) -> Result<Vec<Figure>, FigureError> {
    let target = rounds.bed().target("/files/stat", "stat.txt");
    let compared = |subject| matches!(subject, Subject::Abxd | Subject::Native);
    let load = Load::of(16, rounds.time());
    // The component itself refuses a request without a path: it is entered and left, and asks the host for nothing.
    let refused = |subject| compared(subject).then(|| Request::get("/files/stat").answered(400));
    let hop = rounds.run(load, refused)?;
    let guarded = rounds.run(load, |subject| compared(subject).then(|| Request::get(&target)))?;
    let cpu = Sample::cpu_micros;
    let over_native = |samples: &Samples| [(Subject::Abxd, samples.excess(Subject::Native, cpu))];
    let title = "plugin hop with one guarded call: CPU over native";
    Ok(vec![
        Figure::new(Key::Other, "refused argument, server CPU of a request", Unit::Micros, hop.values(cpu)),
        Figure::new(Key::Other, "plugin hop: CPU over native", Unit::Micros, over_native(&hop)),
        Figure::new(Key::GuardedCall, title, Unit::Micros, over_native(&guarded)),
    ])
}
