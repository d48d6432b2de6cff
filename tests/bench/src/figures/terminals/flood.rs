//! A program that writes 100 MB, seen by one client. Each value is of a process of its own, since none gives back all it had.

use std::time::Instant;

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit, attach, failed, open};
use crate::servers::{Subject, memory};

/// Lines of 64 bytes with their ends.
const FLOOD: &str =
    "yes 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+ | head -c 100000000; echo 'en''d'\n";
/// MiB of it.
const MEBIBYTES: f64 = 100_000_000.0 / (1 << 20) as f64;

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let (mut speeds, mut growths) = (Vec::new(), Vec::new());
    for subject in site.there(&[Subject::Abxd, Subject::Reference]) {
        let rounds = if subject == Subject::Abxd { site.effort.rounds.div_ceil(2) } else { 1 };
        let runs: Vec<_> = (0..rounds).map(|_| run(site, subject)).collect::<Result<_, _>>()?;
        speeds.push((subject, runs.iter().map(|(speed, _)| *speed).collect::<Vec<_>>()));
        growths.push((subject, runs.iter().map(|(_, growth)| *growth).collect::<Vec<_>>()));
    }
    Ok(vec![
        Figure::new(Key::TerminalOutput, "100 MB of terminal output to one client", Unit::Throughput, speeds),
        Figure::new(Key::TerminalFlood, "RSS added by 100 MB of terminal output", Unit::Size, growths),
    ])
}

/// Speed, and the peak of the memory above what it was before.
fn run(site: &Site<'_>, subject: Subject) -> Result<(f64, f64), FigureError> {
    let server = site.starter.start(subject)?;
    server.call_each_group(site.starter.bed)?;
    let mut terminal = attach(&server, &open(&server)?)?;
    let before = memory(server.pid())?.resident;
    let begin = Instant::now();
    let shown = terminal.types(FLOOD).and_then(|()| terminal.sees(r"end\r\n"));
    shown.map_err(failed(&server))?;
    let speed = MEBIBYTES / begin.elapsed().as_secs_f64();
    Ok((speed, memory(server.pid())?.peak.saturating_sub(before) as f64 / f64::from(1 << 20)))
}
