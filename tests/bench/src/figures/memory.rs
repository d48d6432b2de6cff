//! Resident memory: of a server that has nothing to do, and what downloads add to it.
//!
//! Each value is of a process of its own, since none gives back all it had.

use std::time::Duration;

use super::rounds::Site;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Pace, Request, Until};
use crate::servers::{Subject, memory};

/// Downloads at once.
const PARALLEL: usize = 64;
/// How slow clients read: 3.2 MiB/s each at most. What they hold up in the server is there long before they leave.
const SLOWLY: Pace = Pace { bytes: 64 << 10, pause: Duration::from_millis(20), enough: 8 << 20 };

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let rounds = site.effort.rounds.div_ceil(2);
    let with_reference = site.there(&[Subject::Abxd, Subject::Native, Subject::Reference]);
    let idle = repeated(&with_reference, rounds, |subject| {
        let server = site.starter.start(subject)?;
        server.call_each_group(site.starter.bed)?;
        Ok(mebibytes(memory(server.pid())?.resident))
    })?;
    let fast = repeated(&[Subject::Abxd, Subject::Native], rounds, |subject| growth(site, subject, None))?;
    let slow = repeated(&[Subject::Abxd, Subject::Native], rounds, |subject| growth(site, subject, Some(SLOWLY)))?;
    let title = |clients| format!("RSS added by {PARALLEL} parallel downloads of 100 MiB, {clients} clients");
    Ok(vec![
        Figure::new(Key::Idle, "RSS idle, after one call to each component", Unit::Size, idle),
        Figure::new(Key::GrowthFast, title("fast"), Unit::Size, fast),
        Figure::new(Key::GrowthSlow, title("slow"), Unit::Size, slow),
    ])
}

fn repeated(
    subjects: &[Subject],
    rounds: usize,
    mut value: impl FnMut(Subject) -> Result<f64, FigureError>,
) -> Result<Vec<(Subject, Vec<f64>)>, FigureError> {
    let mut values: Vec<_> = subjects.iter().map(|subject| (*subject, Vec::new())).collect();
    for _ in 0..rounds {
        for (subject, values) in &mut values {
            values.push(value(*subject)?);
        }
    }
    Ok(values)
}

/// The peak of the memory above what it was before.
fn growth(site: &Site<'_>, subject: Subject, pace: Option<Pace>) -> Result<f64, FigureError> {
    let server = site.starter.start(subject)?;
    server.call_each_group(site.starter.bed)?;
    let before = memory(server.pid())?.resident;
    let download = Request::get(site.starter.bed.target("/download", "100.bin"));
    site.load(&server, &download, Load { connections: PARALLEL, until: Until::Count(1), pace })?;
    Ok(mebibytes(memory(server.pid())?.peak.saturating_sub(before)))
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
