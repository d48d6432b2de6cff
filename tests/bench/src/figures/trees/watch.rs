//! A watch while files are made as fast as can be.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Events, LoadError, Request};
use crate::servers::{Bed, Server, ServerError, Subject};

/// Files at once.
const FILES: usize = 10_000;

/// Longest wait for an event.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a watch told.
struct Told {
    missed: usize,
    /// From the last file to its last event, as far as there was one.
    late: Duration,
    /// From the first file to the last event.
    took: Duration,
}

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let bed = site.starter.bed;
    let server = site.starter.start(Subject::Abxd)?;
    let mut told = Vec::new();
    for _ in 0..site.effort.rounds {
        let folder = bed.fresh("watched")?;
        told.push(burst(site, &server, &folder)?);
    }
    let values = |value: fn(&Told) -> f64| [(Subject::Abxd, told.iter().map(value).collect())];
    let title = "watch, 10,000 files created at once";
    Ok(vec![
        Figure::new(Key::Missed, format!("{title}: missed"), Unit::Count, values(|told| told.missed as f64)),
        Figure::new(
            Key::Other,
            format!("{title}: first file to last event"),
            Unit::Millis,
            values(|told| told.took.as_secs_f64() * 1e3),
        ),
        Figure::new(
            Key::Other,
            format!("{title}: last file to last event"),
            Unit::Millis,
            values(|told| told.late.as_secs_f64() * 1e3),
        ),
    ])
}

fn burst(site: &Site<'_>, server: &Server, folder: &Path) -> Result<Told, FigureError> {
    let broken = |cause| FigureError::Load { subject: server.subject, cause };
    let request = Request::get(site.starter.bed.target("/files/watch", "watched"));
    let mut events = site.runtime.block_on(armed(server, &request)).map_err(broken)?;
    std::thread::scope(|scope| {
        let making = scope.spawn(|| make(folder));
        let (heard, last) = site.runtime.block_on(hear(&mut events)).map_err(broken)?;
        let made = making.join().unwrap_or_else(|_| Err(std::io::ErrorKind::Other.into()));
        let (first, made) = made.map_err(ServerError::files(folder))?;
        let missed = FILES.saturating_sub(heard);
        Ok(Told { missed, late: last.saturating_duration_since(made), took: last.saturating_duration_since(first) })
    })
}

/// A watch of which the first event, that nothing is missed from now on, has come.
async fn armed(server: &Server, request: &Request) -> Result<Events, LoadError> {
    let mut events = Events::open(server.address, Bed::TOKEN, request).await?;
    events.next().await?;
    Ok(events)
}

/// Make all files. Returns when the first and when the last was there.
fn make(folder: &Path) -> std::io::Result<(Instant, Instant)> {
    let begin = Instant::now();
    for number in 0..FILES {
        File::create(folder.join(format!("file-{number:05}")))?;
    }
    Ok((begin, Instant::now()))
}

/// Count the files of which the watch tells that they were created, and when it told of the last.
async fn hear(events: &mut Events) -> Result<(usize, Instant), LoadError> {
    let (mut created, mut last) = (HashSet::new(), Instant::now());
    while created.len() < FILES {
        let Ok(event) = tokio::time::timeout(PATIENCE, events.next()).await else { break };
        let event = event?;
        let data = event.split_once("data: ").and_then(|(_, data)| serde_json::from_str::<Value>(data).ok());
        let data = data.unwrap_or_default();
        let text = |name| data.get(name).and_then(Value::as_str);
        if let (Some("created"), Some(path)) = (text("type"), text("path")) {
            created.insert(path.to_owned());
            last = Instant::now();
        }
    }
    Ok((created.len(), last))
}
