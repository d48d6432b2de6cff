//! What the server holds for a terminal that has put out little.

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit, attach, open};
use crate::servers::{Subject, memory};

/// As many as there may be.
const TERMINALS: u32 = 10;

pub(super) fn measure(site: &Site<'_>) -> Result<Figure, FigureError> {
    let mut values = Vec::new();
    for _ in 0..site.effort.rounds.div_ceil(2) {
        let server = site.starter.start(Subject::Abxd)?;
        server.call_each_group(site.starter.bed)?;
        let before = memory(server.pid())?.resident;
        let clients: Vec<_> =
            (0..TERMINALS).map(|_| attach(&server, &open(&server)?)).collect::<Result<_, FigureError>>()?;
        let added = memory(server.pid())?.resident.saturating_sub(before);
        drop(clients);
        values.push(added as f64 / f64::from(TERMINALS) / f64::from(1 << 20));
    }
    let title = format!("RSS of a terminal with a client, of {TERMINALS}");
    Ok(Figure::new(Key::TerminalHeld, title, Unit::Size, [(Subject::Abxd, values)]))
}
