//! The close of a terminal with a job in the background and one that hears no gentle signal.

use std::time::Instant;

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit, attach, failed, open};
use crate::servers::Subject;

/// Closes of each round.
const CLOSES: usize = 5;
const JOBS: &str = "sleep 60 & (trap '' HUP TERM; sleep 60; sleep 60) & echo 'be''gun'\n";

pub(super) fn measure(site: &Site<'_>) -> Result<Figure, FigureError> {
    let server = site.starter.start(Subject::Abxd)?;
    let mut slowest = Vec::new();
    for _ in 0..site.effort.rounds {
        let mut times = Vec::new();
        for _ in 0..CLOSES {
            let session = open(&server)?;
            let mut terminal = attach(&server, &session)?;
            let shown = terminal.types(JOBS).and_then(|()| terminal.sees(r"begun\r\n"));
            shown.map_err(failed(&server))?;
            let begin = Instant::now();
            server.call("DELETE", &format!("/pty/sessions/{session}"), "")?;
            times.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        slowest.push(times.into_iter().fold(0.0, f64::max));
    }
    let title = format!("close of a terminal with stubborn jobs, slowest of {CLOSES}");
    Ok(Figure::new(Key::TerminalClose, title, Unit::Millis, [(Subject::Abxd, slowest)]))
}
