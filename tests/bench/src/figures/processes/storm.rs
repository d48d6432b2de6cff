//! `/health` beside a shell that starts processes as fast as it can.

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Sample, Unit, command};
use crate::load::{Load, Request, Until};
use crate::servers::Subject;

/// Eight at a time, over and over.
const STORM: &str = "sh -c 'while :; do for i in 1 2 3 4 5 6 7 8; do true & done; wait; done'";

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let (mut middle, mut slowest) = (Vec::new(), Vec::new());
    for subject in site.there(&[Subject::Abxd, Subject::Reference]) {
        let server = site.starter.start(subject)?;
        let health = |time| site.load(&server, &Request::get("/health"), Load::of(1, Until::Time(time)));
        // The reference's children outlive it, so the storm has an end of its own.
        let seconds = site.effort.time.as_secs_f64() * site.effort.rounds as f64;
        let storm = format!("timeout -s KILL {} {STORM}", seconds.ceil() + 1.0);
        site.load(&server, &command("/process/start", &storm), Load::of(1, Until::Count(1)))?;
        let (mut medians, mut tails) = (Vec::new(), Vec::new());
        for _ in 0..site.effort.rounds {
            let sample = Sample { tally: health(site.effort.time)?, cpu: std::time::Duration::ZERO };
            medians.push(sample.median_micros());
            tails.push(sample.slow_micros());
        }
        middle.push((subject, medians));
        slowest.push((subject, tails));
    }
    Ok(vec![
        Figure::new(Key::Other, "health beside a storm of processes, p50", Unit::Micros, middle),
        Figure::new(Key::StormHealth, "health beside a storm of processes, p99", Unit::Micros, slowest),
    ])
}
