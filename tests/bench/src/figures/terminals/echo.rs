//! One keystroke at a time, and its way back through a program that returns what it reads.

use std::io;
use std::time::{Duration, Instant};

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, RAW, READY, Unit, attach, bare, failed, open};
use crate::servers::Subject;

pub(super) fn measure(site: &Site<'_>) -> Result<Figure, FigureError> {
    let mut values = Vec::new();
    for subject in site.there(&[Subject::Abxd, Subject::Reference]) {
        let server = site.starter.start(subject)?;
        let mut terminal = attach(&server, &open(&server)?)?;
        let ready = terminal.types(RAW).and_then(|()| terminal.sees(&[READY, r"\n"].concat()));
        ready.map_err(failed(&server))?;
        let rounds = (0..site.effort.rounds).map(|_| {
            median(site.effort.time, || {
                terminal.types("x")?;
                terminal.sees("x").map(|_| ())
            })
        });
        values.push((subject, rounds.collect::<io::Result<_>>().map_err(failed(&server))?));
    }
    values.push((Subject::Pty, bare::rounds(site.effort)?));
    Ok(Figure::new(Key::Echo, "keystroke and its echo, p50, against a bare pseudo-terminal", Unit::Micros, values))
}

/// The median time of what is done over and over, in microseconds.
pub(super) fn median(time: Duration, mut once: impl FnMut() -> io::Result<()>) -> io::Result<f64> {
    let begin = Instant::now();
    let mut times = Vec::new();
    while begin.elapsed() < time {
        let before = Instant::now();
        once()?;
        times.push(before.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1e6)
}
