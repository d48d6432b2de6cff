//! Streams: how soon they begin, and what one costs that has nothing to say.

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit, command};
use crate::load::{Begun, LoadError, Request, begin};
use crate::servers::{Bed, Server, Subject, memory};

/// Streams at once.
const IDLE: u32 = 200;
/// Streams whose first event is timed, of each round.
const TIMED: usize = 20;

/// From the request to the first line of a command that goes on.
pub(super) fn first_event(site: &Site<'_>) -> Result<Figure, FigureError> {
    let request = command("/shell/stream", "sh -c 'echo a; exec sleep 5'");
    let mut values = Vec::new();
    for subject in site.there(&[Subject::Abxd, Subject::Reference]) {
        let server = site.starter.start(subject)?;
        let mut rounds = Vec::new();
        for _ in 0..site.effort.rounds {
            let mut times = Vec::new();
            for _ in 0..TIMED {
                times.push(open(site, &server, &request)?.took.as_secs_f64() * 1e6);
            }
            times.sort_unstable_by(f64::total_cmp);
            rounds.extend(times.get(TIMED / 2).copied());
        }
        values.push((subject, rounds));
    }
    Ok(Figure::new(Key::FirstEvent, "shell stream, first event, p50", Unit::Micros, values))
}

/// What the server holds for a stream on which nothing happens; its child is not counted.
pub(super) fn idle(site: &Site<'_>) -> Result<Figure, FigureError> {
    let request = command("/shell/stream", "sh -c 'echo a; exec sleep 60'");
    let mut values = Vec::new();
    for _ in 0..site.effort.rounds.div_ceil(2) {
        let server = site.starter.start(Subject::Abxd)?;
        // What the first ones need is there.
        let first: Vec<_> = (0..2).map(|_| open(site, &server, &request)).collect::<Result<_, _>>()?;
        let before = memory(server.pid())?.resident;
        let streams: Vec<_> = (0..IDLE).map(|_| open(site, &server, &request)).collect::<Result<_, _>>()?;
        let added = memory(server.pid())?.resident.saturating_sub(before);
        drop((first, streams));
        values.push(added as f64 / f64::from(IDLE) / 1024.0);
    }
    let title = format!("RSS of an idle shell stream, of {IDLE}");
    Ok(Figure::new(Key::IdleStream, title, Unit::SmallSize, [(Subject::Abxd, values)]))
}

fn open(site: &Site<'_>, server: &Server, request: &Request) -> Result<Begun, FigureError> {
    let begun: Result<_, LoadError> = site.runtime.block_on(begin(server.address, Bed::TOKEN, request));
    begun.map_err(|cause| FigureError::Load { subject: server.subject, cause })
}
