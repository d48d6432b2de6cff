//! Commands: what the smallest costs, against starting a program without any server; many at once; and what output and
//! streams do to the server.

mod bare;
mod output;
mod storm;
mod streams;

use bytes::Bytes;
use serde_json::json;

use super::rounds::{Rounds, Site};
use super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Payload, Request, Until};
use crate::servers::Subject;

/// Commands that only wait, at once.
const WAITING: usize = 40;

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let mut figures = Vec::new();
    {
        let rounds = Rounds::begin(site)?;
        figures.extend(smallest(&rounds)?);
        figures.push(waiting(&rounds)?);
        figures.push(streams::first_event(site)?);
    }
    figures.extend(output::measure(site)?);
    figures.push(streams::idle(site)?);
    figures.extend(storm::measure(site)?);
    Ok(figures)
}

/// A command for an endpoint that takes one.
fn command(endpoint: &str, command: &str) -> Request {
    Request::post(endpoint, Payload::Json(Bytes::from(json!({ "command": command }).to_string())))
}

/// Who serves commands.
fn serves(subject: Subject) -> bool {
    matches!(subject, Subject::Abxd | Subject::Reference)
}

/// `true`, over and over.
fn smallest(rounds: &Rounds<'_>) -> Result<Vec<Figure>, FigureError> {
    let request = |subject| {
        let request = command("/shell", "true");
        // The reference has room for five connections that wait.
        serves(subject).then(|| if subject == Subject::Reference { request.insistent() } else { request })
    };
    let mut figures = Vec::new();
    for (connections, name, rate, latency) in
        [(1, "1 connection", Key::Other, Key::ShellLatency), (16, "16 connections", Key::ShellRate, Key::Other)]
    {
        let samples = rounds.run(Load::of(connections, rounds.time()), request)?;
        let bare = bare::rounds(rounds.site.effort, connections)?;
        let with_bare = |value: fn(&Sample) -> f64| {
            let bare = bare.iter().map(value).collect();
            samples.values(value).into_iter().chain([(Subject::Spawn, bare)]).collect::<Vec<_>>()
        };
        let title = format!("shell `true`, {name}");
        figures.extend([
            Figure::new(rate, title.clone(), Unit::PerSecond, with_bare(Sample::per_second)),
            Figure::new(latency, format!("{title}, p50"), Unit::Micros, with_bare(Sample::median_micros)),
            Figure::new(Key::Other, format!("{title}, server CPU"), Unit::Micros, samples.values(Sample::cpu_micros)),
        ]);
    }
    Ok(figures)
}

/// Many that take a second each: the time until the last is answered. The reference resets such a burst.
fn waiting(rounds: &Rounds<'_>) -> Result<Figure, FigureError> {
    let request = |subject| (subject == Subject::Abxd).then(|| command("/shell", "sleep 1"));
    let samples = rounds.run(Load::of(WAITING, Until::Count(1)), request)?;
    let elapsed = samples.values(|sample| sample.tally.elapsed.as_secs_f64() * 1e3);
    Ok(Figure::new(Key::Waiting, format!("{WAITING} parallel `sleep 1`, all answered"), Unit::Millis, elapsed))
}
