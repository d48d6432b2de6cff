//! Output that is more than anybody keeps, and a line that is longer than anybody wants.
//!
//! Each value is of a process of its own, since none gives back all it had.

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit, command};
use crate::load::{Load, Request, Until};
use crate::servers::{Subject, memory};

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let flood = command("/shell", "head -c 200000000 /dev/zero");
    let line = command("/shell/stream", "sh -c 'head -c 50000000 /dev/zero | tr \"\\0\" x'");
    let with_reference = site.there(&[Subject::Abxd, Subject::Reference]);
    let peaks = |request: &Request| -> Result<Vec<_>, FigureError> {
        let mut values: Vec<_> = with_reference.iter().map(|subject| (*subject, Vec::new())).collect();
        for _ in 0..site.effort.rounds.div_ceil(2) {
            for (subject, values) in &mut values {
                values.push(growth(site, *subject, request)?);
            }
        }
        Ok(values)
    };
    let title = "RSS added by 200 MB of output, of which 1 MiB is kept";
    Ok(vec![
        Figure::new(Key::Flood, title, Unit::Size, peaks(&flood)?),
        Figure::new(Key::Other, "RSS added by a streamed line of 50 MB", Unit::Size, peaks(&line)?),
    ])
}

/// The peak of the memory above what it was before, in MiB.
fn growth(site: &Site<'_>, subject: Subject, request: &Request) -> Result<f64, FigureError> {
    let server = site.starter.start(subject)?;
    server.call_each_group(site.starter.bed)?;
    let before = memory(server.pid())?.resident;
    site.load(&server, request, Load::of(1, Until::Count(1)))?;
    Ok(memory(server.pid())?.peak.saturating_sub(before) as f64 / f64::from(1 << 20))
}
